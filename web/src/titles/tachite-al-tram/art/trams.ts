/* Whose tram it is can be told by its colour, the outline of its roof, the shape of its plate, and the
   letter on it: each of them alone will do. */

export type Shape = "disc" | "diamond" | "square" | "triangle";

export interface Livery {
  shape: Shape;
  colour: string;
}

export const LIVERIES: readonly Livery[] = [
  { shape: "disc", colour: "#1d5fa8" },
  { shape: "diamond", colour: "#8a2f6d" },
  { shape: "triangle", colour: "#8a5a12" },
  { shape: "square", colour: "#39424f" },
];

export function liveryOf(seat: number): Livery {
  return LIVERIES[seat % LIVERIES.length]!;
}

export function letterOf(name: string): string {
  return [...name.replace(/^№\s*/, "")][0]?.toUpperCase() ?? "?";
}

export const ROOF: Record<Shape, string> = {
  disc: "M10 30C10 8 22 2 32 2s22 6 22 28z",
  diamond: "M10 30V18L32 0l22 18v12z",
  square: "M10 30V5h44v25z",
  triangle: "M10 30V14h9V3h26v11h9v16z",
};

/** A plate around a point. */
export function plate(shape: Shape, x: number, y: number, r: number): string {
  switch (shape) {
    case "disc":
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    case "diamond":
      return `M${x} ${y - r * 1.3}l${r * 1.3} ${r * 1.3}-${r * 1.3} ${r * 1.3}-${r * 1.3}-${r * 1.3}z`;
    case "square":
      return `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`;
    case "triangle":
      return `M${x} ${y - r * 1.4}l${r * 1.45} ${r * 2.4}h${-r * 2.9}z`;
  }
}
