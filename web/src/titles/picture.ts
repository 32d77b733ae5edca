/* A sheet of paper in the page: drawn in the colours and letters that the table has now, and handed out as
   a PNG. Nothing is asked of anybody for it. */

export const WIDTH = 1080;
export const HEIGHT = 1350;

export interface Writing {
  /** "700 64px"; the family goes by `family`. */
  font: string;
  /** A token: "--font-display". */
  family: string;
  colour: string;
  /** Where a line is broken. */
  wide: number;
  /** From line to line. */
  line: number;
  align?: CanvasTextAlign;
  /** What does not fit in so many lines is cut off. */
  lines?: number;
}

export class Sheet {
  readonly canvas = document.createElement("canvas");
  readonly pen: CanvasRenderingContext2D;
  private readonly probe = document.createElement("span");

  /** `where`: the element whose colours count. */
  constructor(where: Element) {
    this.canvas.width = WIDTH;
    this.canvas.height = HEIGHT;
    this.pen = this.canvas.getContext("2d")!;
    this.probe.hidden = true;
    where.append(this.probe);
  }

  /** A colour by its token, as it is here and now: by day or in the dark. */
  colour(token: string): string {
    this.probe.style.color = `var(${token})`;
    return getComputedStyle(this.probe).color;
  }

  font(size: string, family: string): string {
    return `${size} ${getComputedStyle(this.probe).getPropertyValue(family)}`;
  }

  fill(colour: string, x: number, y: number, wide: number, high: number): void {
    this.pen.fillStyle = this.colour(colour);
    this.pen.fillRect(x, y, wide, high);
  }

  /** A path as SVG has it, moved and scaled. */
  path(colour: string, d: string, x = 0, y = 0, scale = 1): void {
    this.pen.save();
    this.pen.translate(x, y);
    this.pen.scale(scale, scale);
    this.pen.fillStyle = this.colour(colour);
    this.pen.fill(new Path2D(d));
    this.pen.restore();
  }

  /** Write, broken into lines; where the next line would stand. */
  write(text: string, x: number, y: number, how: Writing): number {
    const { pen } = this;
    pen.font = this.font(how.font, how.family);
    pen.fillStyle = this.colour(how.colour);
    pen.textAlign = how.align ?? "left";
    pen.textBaseline = "alphabetic";
    const lines = broken(text, how.wide, (part) => pen.measureText(part).width);
    const shown = lines.slice(0, how.lines ?? lines.length);
    if (shown.length < lines.length) shown[shown.length - 1] += " …";
    shown.forEach((line, at) => pen.fillText(line, x, y + at * how.line));
    return y + shown.length * how.line;
  }

  /** The letters that it is written in are here; the low quotation mark comes from a face of its own. */
  async ready(...fonts: [size: string, family: string][]): Promise<void> {
    await Promise.all(fonts.map((one) => document.fonts.load(this.font(...one), "Aß‚„")));
  }

  png(): Promise<Blob> {
    this.probe.remove();
    return new Promise((done, failed) =>
      this.canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture")))),
    );
  }
}

/** A text in lines that are no wider than this, if its words are not. */
export function broken(text: string, wide: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = lines.length ? `${lines.at(-1)!} ${word}` : word;
    if (lines.length && measure(longer) <= wide) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** An SVG of the page as a picture of its own: what its stylesheets say is written into it. */
export async function image(svg: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const copies = [...copy.querySelectorAll("*")];
  [...svg.querySelectorAll("*")].forEach((one, at) => inked(one, copies[at]!));
  const found = new Image();
  found.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await found.decode();
  return found;
}

const INKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-opacity",
  "opacity",
  "paint-order",
  "stop-color",
  "stop-opacity",
  "display",
  "visibility",
  "font-size",
  "font-family",
  "font-weight",
  "text-anchor",
];

function inked(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const ink of INKS) to.setAttribute(ink, style.getPropertyValue(ink));
  for (const own of ["class", "style"]) to.removeAttribute(own);
}
