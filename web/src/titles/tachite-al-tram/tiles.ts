/* The tiles: their rails, and how they lie. */

import { rails, open, opposite, turned, SIDES } from "./map/rails";
import type { Chart } from "./chart";
import { SQUARES, beside } from "./squares";
import type { TramView } from "./view";

const SHAPES: Record<string, string> = {
  straight: "NS",
  curve: "ES",
  "switch-left": "NS SW",
  "switch-right": "NS ES",
  tee: "EW ES SW",
  crossing: "NS EW",
  "double-curve": "ES NW",
  slip: "NS EW ES NW",
};

/** The rails of a shape; a table may have tiles of its own. */
export function shapeRails(view: TramView, shape: string, quarters = 0): number[] {
  const own = /^own-(\d)$/.exec(shape);
  const text = own ? (view.own_tiles[Number(own[1]) - 1] ?? "") : (SHAPES[shape] ?? "");
  return turned(rails(text.replaceAll("-", " ")), quarters);
}

/** The rails of every square, printed and laid. */
export function allRails(view: TramView, chart: Chart): number[][] {
  const found = chart.printed.map((masks) => masks);
  for (const { square, shape, turn } of view.tiles) found[square] = shapeRails(view, shape, turn);
  return found;
}

/** The sides of a square at which neighbours have a rail: whatever is laid there joins them. */
export function joints(square: number, all: readonly number[][]): number[] {
  return SIDES.filter((side) => {
    const other = beside(square, side);
    return other >= 0 && other < SQUARES && (open(all[other]!) & opposite(side)) !== 0;
  });
}
