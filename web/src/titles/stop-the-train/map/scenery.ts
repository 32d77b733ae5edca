/* What stands around the line: ridges that tunnels run through, the signal box, Paris. */

import { SECTIONS, type Feature, type SectionId } from "../track";
import {
  around,
  direction,
  overlap,
  padded,
  stretch,
  type Box,
  type Layout,
  type Spot,
} from "./geometry";

export interface Stretch {
  id: string;
  section: SectionId;
  feature: Feature;
  spots: Spot[];
}

/** Every feature of the map. */
export function stretchesOf(layout: Layout): Stretch[] {
  return SECTIONS.flatMap((section) =>
    layout.track.sections[section].features.map((feature, number) => ({
      id: `${section}.${number}`,
      section,
      feature,
      spots: stretch(layout, section, feature, feature.kind === "tunnel" ? 0.75 : 0.6),
    })),
  );
}

export interface Peak {
  lit: string;
  shade: string;
  box: Box;
}

/** Heights of the peaks of a ridge, and where their tops lean: no two neighbours alike. */
const HEIGHTS = [64, 84, 56, 74];
const LEANS = [-8, 10, -3, 12];
/** Every so many spaces there is a peak, so wide that neighbours overlap. */
const APART = 2;
const WIDTH = 92;

/** The ridge over a tunnel: peaks along it, from the back to the front, that cover the line. */
export function ridge(spots: readonly Spot[]): Peak[] {
  const inside = spots.slice(1, -1);
  const feet = inside.filter(
    (_, i) => i % APART === (inside.length > 1 ? (inside.length - 1) % APART : 0),
  );
  return feet
    .map((spot, i) => peak(spot.x, spot.y + 22, WIDTH, HEIGHTS[i % 4]!, LEANS[i % 4]!))
    .sort((a, b) => a.box.y + a.box.h - b.box.y - b.box.h || a.box.h - b.box.h);
}

/** A peak: a lit face and a shaded one that meet in a broken edge. */
export function peak(x: number, foot: number, width: number, height: number, lean: number): Peak {
  const [left, right, top] = [x - width / 2, x + width / 2, x + lean];
  const tip = `${top},${foot - height}`;
  const edge = `${top + width * 0.08},${foot - height * 0.52} ${top - width * 0.04},${foot - height * 0.4} ${top + width * 0.14},${foot}`;
  return {
    lit: `${left},${foot} ${tip} ${edge}`,
    shade: `${tip} ${right},${foot} ${edge.split(" ").reverse().join(" ")}`,
    box: { x: left + width * 0.2, y: foot - height, w: width * 0.6, h: height },
  };
}

/** How much room the drawings take, from where they stand. */
const TOWER: Box = { x: -40, y: -78, w: 80, h: 64 };
const CITY: Box = { x: -94, y: -106, w: 150, h: 140 };

/** The tower stands on the freest side of the signal box. */
export function tower(layout: Layout): { x: number; y: number; box: Box } {
  const spots = layout.sections.line.spots;
  const at = spots[spots.length - 1]!;
  const others = lineBoxes(layout, 14);
  const places = [
    [0, 0],
    [0, 98],
    [-52, 46],
    [52, 46],
    [-46, 0],
  ] as const;
  const found = places.map(([dx, dy]) => {
    const box = shifted(TOWER, at.x + dx, at.y + dy);
    return {
      x: at.x + dx,
      y: at.y + dy,
      box,
      cost: others.reduce((s, o) => s + overlap(o, box), 0),
    };
  });
  return found.reduce((best, one) => (one.cost < best.cost ? one : best));
}

/** Paris lies where the line would lead to. */
export function paris(layout: Layout): { x: number; y: number; box: Box } {
  const spots = layout.sections.paris.spots;
  const end = spots[spots.length - 1]!;
  const [dx, dy] = direction(end.a);
  const [x, y] = [end.x + dx * 62, end.y + dy * 62 + 16];
  return { x, y, box: shifted(CITY, x, y) };
}

/** A box around each space: what names keep clear of. */
export function lineBoxes(layout: Layout, half = 12): Box[] {
  return SECTIONS.flatMap((id) =>
    layout.sections[id].spots.map(({ x, y }) => ({
      x: x - half,
      y: y - half,
      w: half * 2,
      h: half * 2,
    })),
  );
}

/** The part of the map that there is to see. */
export function whole(layout: Layout): Box {
  const { bounds } = layout;
  const city = paris(layout).box;
  const corners = [bounds, city].flatMap(({ x, y, w, h }) => [
    { x, y },
    { x: x + w, y: y + h },
  ]);
  return padded(around(corners), 6);
}

function shifted(box: Box, x: number, y: number): Box {
  return { ...box, x: box.x + x, y: box.y + y };
}
