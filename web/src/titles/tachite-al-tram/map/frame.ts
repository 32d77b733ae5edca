/* How much of the land is seen, and how large. On a phone the seven columns fill the width, and one
   travels up and down the hill; where there is room, the whole hill is seen at once. */

import { HEIGHT, WIDTH } from "./way";

/** Room for the signs of the termini. */
export const TOP = 112;
export const BOTTOM = 108;
/** Beside the board at least: the numbers of the rows, and the altimeter. */
const LEFT = 36;
const RIGHT = 48;
/** Squares smaller than this are too small for a finger. */
const SMALLEST = 0.4;
const USUAL = 0.6;
const LARGEST = 1.8;
const ALL = HEIGHT + TOP + BOTTOM;

export interface Frame {
  /** Pixels a unit; a square has 100 of them. */
  scale: number;
  /** Units beside the board. */
  left: number;
  right: number;
  /** Pixels. */
  width: number;
  height: number;
}

/** The scale at which all is seen. */
export function whole(width: number, height: number): number {
  return Math.min(height / ALL, width / (LEFT + WIDTH + RIGHT));
}

export function usual(width: number, height: number): number {
  const all = whole(width, height);
  if (all >= SMALLEST) return all;
  return Math.min(width / (LEFT + WIDTH + RIGHT), USUAL);
}

export function frame(width: number, height: number, zoom: number): Frame {
  const least = whole(width, height);
  const scale = Math.min(Math.max(usual(width, height) * zoom, least), LARGEST);
  const spare = Math.max(width / scale - WIDTH - LEFT - RIGHT, 0);
  const left = LEFT + spare / 2;
  const right = RIGHT + spare / 2;
  return {
    scale,
    left,
    right,
    width: (left + WIDTH + right) * scale,
    height: Math.max(ALL * scale, height),
  };
}

/** By how much one may zoom, from … to. */
export function zooms(width: number, height: number): [number, number] {
  const all = usual(width, height);
  return [whole(width, height) / all, LARGEST / all];
}
