/* From the track file to where everything lies on the map: computed once, by arithmetic alone. */

import {
  isSection,
  SECTIONS,
  type Feature,
  type Point,
  type SectionId,
  type Track,
} from "../track";

/** A place on the line, and which way the line runs there, in degrees. */
export interface Spot {
  x: number;
  y: number;
  a: number;
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Laid {
  /** Where each space lies. Of "line", START is the first; of the others, space 1 is at index 0. */
  spots: Spot[];
  /** How far it is from space to space. */
  pitch: number;
  /** The line as an SVG path. */
  d: string;
}

export interface Layout {
  track: Track;
  sections: Record<SectionId, Laid>;
  /** All that is drawn of the line lies in here. */
  bounds: Box;
}

// --- corners to a way ---------------------------------------------------------------------------

/** Corners become a path with rounded corners. */
export function roundedPath(points: readonly Point[], radius: number): string {
  let d = `M${points[0]}`;
  for (const { enter, corner, leave } of bends(points, radius))
    d += `L${round(enter)}Q${corner} ${round(leave)}`;
  return `${d}L${points[points.length - 1]}`;
}

interface Bend {
  enter: Point;
  corner: Point;
  leave: Point;
}

function bends(points: readonly Point[], radius: number): Bend[] {
  return points.slice(1, -1).map((corner, i) => {
    const before = points[i]!;
    const after = points[i + 2]!;
    const cut = Math.min(radius, distance(before, corner) / 2, distance(corner, after) / 2);
    return { enter: towards(corner, before, cut), corner, leave: towards(corner, after, cut) };
  });
}

/** How many straight pieces a bend is walked in. */
const PIECES = 10;

/** The same path as a chain of short straight pieces, to measure along. */
export function chain(points: readonly Point[], radius: number): Point[] {
  const walked: Point[] = [points[0]!];
  for (const { enter, corner, leave } of bends(points, radius)) {
    for (let i = 0; i <= PIECES; i++) {
      const t = i / PIECES;
      const [p, q, r] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
      walked.push([
        enter[0] * p + corner[0] * q + leave[0] * r,
        enter[1] * p + corner[1] * q + leave[1] * r,
      ]);
    }
  }
  walked.push(points[points.length - 1]!);
  return walked;
}

export function lengthOf(way: readonly Point[]): number {
  return way.slice(1).reduce((sum, point, i) => sum + distance(way[i]!, point), 0);
}

/** The spot that lies this far along; before the beginning and after the end it goes straight on. */
export function along(way: readonly Point[], far: number): Spot {
  let left = far;
  for (let i = 1; i < way.length; i++) {
    const [from, to] = [way[i - 1]!, way[i]!];
    const piece = distance(from, to);
    if (piece === 0) continue;
    if (left <= piece || i === way.length - 1) {
      const t = left / piece;
      return {
        x: from[0] + (to[0] - from[0]) * t,
        y: from[1] + (to[1] - from[1]) * t,
        a: (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI,
      };
    }
    left -= piece;
  }
  throw new Error("a way has two points or more");
}

// --- the line -----------------------------------------------------------------------------------

/** Spaces lie at equal lengths. A route's share neither the box before nor the join after it. */
export function layOut(track: Track): Layout {
  const sections = {
    line: laid(track, "line"),
    "fast-track": laid(track, "fast-track"),
    viaduct: laid(track, "viaduct"),
    "scenic-route": laid(track, "scenic-route"),
    paris: laid(track, "paris"),
  };
  const all = SECTIONS.flatMap((id) => sections[id].spots);
  const behind = Array.from({ length: track.train }, (_, i) => spot(sections, "", -i));
  return { track, sections, bounds: padded(around([...all, ...behind]), 40) };
}

function laid(track: Track, id: SectionId): Laid {
  const section = track.sections[id];
  const way = chain(section.points, section.radius);
  const length = lengthOf(way);
  const count = section.spaces;
  const d = roundedPath(section.points, section.radius);
  if (id === "line") {
    const pitch = length / count;
    return { pitch, d, spots: range(count + 1).map((i) => along(way, i * pitch)) };
  }
  if (id === "paris") {
    const pitch = length / Math.max(1, count - 1);
    return { pitch, d, spots: range(count).map((i) => along(way, i * pitch)) };
  }
  const pitch = length / (count + 1);
  return { pitch, d, spots: range(count).map((i) => along(way, (i + 1) * pitch)) };
}

/** Where a place lies that is counted from START, by a route; between spaces too. */
export function place(layout: Layout, route: string, at: number): Spot {
  const whole = Math.floor(at);
  const from = spot(layout.sections, route, whole);
  const part = at - whole;
  if (part === 0) return from;
  const to = spot(layout.sections, route, whole + 1);
  return {
    x: from.x + (to.x - from.x) * part,
    y: from.y + (to.y - from.y) * part,
    a: from.a + turned(from.a, to.a) * part,
  };
}

function spot(sections: Layout["sections"], route: string, at: number): Spot {
  const line = sections.line.spots;
  if (at < 0) {
    // The rear of a train that stands on START lies behind it.
    const start = line[0]!;
    const back = direction(start.a);
    const far = at * sections.line.pitch;
    return { x: start.x + back[0] * far, y: start.y + back[1] * far, a: start.a };
  }
  if (at < line.length) return line[at]!;
  const way = isSection(route) ? sections[route].spots : [];
  const beyond = at - line.length;
  if (beyond < way.length) return way[beyond]!;
  const paris = sections.paris.spots;
  return paris[Math.min(paris.length - 1, Math.max(0, beyond - way.length))]!;
}

/** How far apart spaces are where a train stands. */
export function pitchAt(layout: Layout, route: string, at: number): number {
  const line = layout.sections.line;
  if (at < line.spots.length || !isSection(route)) return line.pitch;
  const way = layout.sections[route];
  return at - line.spots.length < way.spots.length ? way.pitch : layout.sections.paris.pitch;
}

/** The spots of a feature, with an end before its first and one after its last space. */
export function stretch(layout: Layout, id: SectionId, feature: Feature, end = 0.5): Spot[] {
  const { spots, pitch } = layout.sections[id];
  const shift = id === "line" ? 0 : 1;
  const inside = spots.slice(feature.from - shift, feature.to - shift + 1);
  const [first, last] = [inside[0]!, inside[inside.length - 1]!];
  return [moved(first, -pitch * end), ...inside, moved(last, pitch * end)];
}

export function middle(spots: readonly Spot[]): Spot {
  const half = (spots.length - 1) / 2;
  const [a, b] = [spots[Math.floor(half)]!, spots[Math.ceil(half)]!];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, a: a.a + turned(a.a, b.a) / 2 };
}

/** A line beside these spots, at a distance to the right of the way (left if negative). */
export function beside(spots: readonly Spot[], far: number): string {
  const points = spots.map(({ x, y, a }) => {
    const [dx, dy] = direction(a);
    return round([x - dy * far, y + dx * far]);
  });
  return `M${points.join("L")}`;
}

// --- small things -------------------------------------------------------------------------------

export function direction(degrees: number): Point {
  const radians = (degrees * Math.PI) / 180;
  return [Math.cos(radians), Math.sin(radians)];
}

export function around(spots: readonly { x: number; y: number }[]): Box {
  const xs = spots.map((one) => one.x);
  const ys = spots.map((one) => one.y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}

export function padded(box: Box, by: number): Box {
  return { x: box.x - by, y: box.y - by, w: box.w + 2 * by, h: box.h + 2 * by };
}

/** How much of them is shared, as an area. */
export function overlap(a: Box, b: Box): number {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return w > 0 && h > 0 ? w * h : 0;
}

function moved({ x, y, a }: Spot, far: number): Spot {
  const [dx, dy] = direction(a);
  return { x: x + dx * far, y: y + dy * far, a };
}

/** From one angle to another the short way round. */
function turned(from: number, to: number): number {
  return ((((to - from) % 360) + 540) % 360) - 180;
}

function distance(a: Point, b: Point): number {
  return Math.hypot(b[0] - a[0], b[1] - a[1]);
}

function towards(from: Point, to: Point, far: number): Point {
  const whole = distance(from, to) || 1;
  return [from[0] + ((to[0] - from[0]) * far) / whole, from[1] + ((to[1] - from[1]) * far) / whole];
}

/** Tenths are fine enough, and keep the paths short. */
function round([x, y]: Point): Point {
  return [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
