/* Where names stand: beside what they name, on the freest side, over nothing else. */

import { direction, overlap, type Box, type Spot } from "./geometry";

export interface Wanted {
  id: string;
  text: string;
  /** Height of the letters, in map units. */
  size: number;
  /** Where it may stand beside; the first ones are liked best. */
  spots: readonly Spot[];
  /** How far off the line it begins. */
  off?: number;
  /** Rather not shown than over something. */
  optional?: boolean;
}

export interface Label {
  id: string;
  text: string;
  x: number;
  /** The baseline. */
  y: number;
  anchor: "start" | "middle" | "end";
  box: Box;
}

/** Letters of our condensed type are about so wide, as a part of their height; capitals a bit more. */
const [WIDE, WIDER] = [0.45, 0.54];
/** How much worse than standing a bit further off it is to cover these. */
const [OVER_NAME, OVER_LINE, OUTSIDE] = [12, 6, 20];
/** An optional name may touch this much, as a part of its own area. */
const TOUCH = 0.04;

/** Names one after the other, each where it costs least. */
export function placed(wanted: readonly Wanted[], obstacles: readonly Box[], bounds: Box): Label[] {
  const labels: Label[] = [];
  for (const one of wanted) {
    const taken = labels.map((label) => label.box);
    let best: { label: Label; cost: number; covered: number } | null = null;
    for (const { label, far } of candidates(one)) {
      const over = sum(taken, label.box);
      const line = sum(obstacles, label.box);
      const area = label.box.w * label.box.h;
      const outside = area - overlap(label.box, bounds);
      const cost = far + (over * OVER_NAME + line * OVER_LINE + outside * OUTSIDE) / one.size;
      if (best === null || cost < best.cost)
        best = { label, cost, covered: (over + line + outside) / area };
    }
    if (best && !(one.optional && best.covered > TOUCH)) labels.push(best.label);
  }
  return labels;
}

function sum(boxes: readonly Box[], box: Box): number {
  return boxes.reduce((all, one) => all + overlap(one, box), 0);
}

function* candidates(wanted: Wanted): Generator<{ label: Label; far: number }> {
  const { size, spots, off = 20 } = wanted;
  for (const [rank, spot] of spots.entries()) {
    const [dx, dy] = direction(spot.a);
    for (const side of [-1, 1]) {
      for (const away of [0, 0.5, 1, 1.7, 2.6]) {
        const far = off + away * size;
        const at = { x: spot.x - dy * far * side, y: spot.y + dx * far * side };
        const label = standing(wanted, at, -dy * side, dx * side);
        // Above or left is where one looks first.
        const like = side * (dx - dy) > 0 ? 1 : 0;
        yield { label, far: away * size + rank * 2 + like };
      }
    }
  }
}

/** A name that begins at a point and goes away from the line in this direction. */
function standing(wanted: Wanted, at: { x: number; y: number }, nx: number, ny: number): Label {
  const { id, text, size } = wanted;
  const w = text.length * size * (text === text.toUpperCase() ? WIDER : WIDE);
  const h = size * 1.1;
  const anchor = nx > 0.45 ? "start" : nx < -0.45 ? "end" : "middle";
  const left = anchor === "start" ? at.x : anchor === "end" ? at.x - w : at.x - w / 2;
  // Letters hang from the point below the line, stand on it above, and are level beside it.
  const top = at.y + (ny - 1) * (h / 2);
  return {
    id,
    text,
    anchor,
    x: at.x,
    y: top + h * 0.78,
    box: { x: left, y: top, w, h },
  };
}

/** A box of this size near a spot that covers least: for the callout of a preview. */
export function freest(
  size: { w: number; h: number },
  near: { x: number; y: number },
  obstacles: readonly Box[],
  bounds: Box,
): Box {
  let best: { box: Box; cost: number } | null = null;
  for (const far of [1, 1.5, 2.1]) {
    for (let turn = 0; turn < 12; turn++) {
      const [dx, dy] = direction(turn * 30 - 90);
      const x = near.x + dx * (size.w / 2 + 18) * far - size.w / 2;
      const y = near.y + dy * (size.h / 2 + 26) * far - size.h / 2;
      const box = { x, y, ...size };
      const outside = size.w * size.h - overlap(box, bounds);
      const cost = far * 150 + sum(obstacles, box) + outside * 8;
      if (best === null || cost < best.cost) best = { box, cost };
    }
  }
  return best!.box;
}
