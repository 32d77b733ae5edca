/* A way over the board as a line: for drawing it, and for a tram to run along it. */

import { COLUMNS, ROWS, columnOf, rowOf } from "../squares";
import { E, N, S, SIDE_AT, W, isCurve, middle, stand, type Point } from "./rails";

export const SIZE = 100;
/** Pieces of a quarter circle: round enough at any size. */
const FINE = 8;

/** The upper left corner of a square. */
export function cornerOf(square: number): Point {
  return [columnOf(square) * SIZE, (ROWS - 1 - rowOf(square)) * SIZE];
}

export function centreOf(square: number): Point {
  const [x, y] = cornerOf(square);
  return [x + SIZE / 2, y + SIZE / 2];
}

/** The side of `from` that looks at `to`; they need not touch: the funicular joins squares far apart. */
export function towards(from: number, to: number): number {
  const across = columnOf(to) - columnOf(from);
  const up = rowOf(to) - rowOf(from);
  if (Math.abs(up) >= Math.abs(across)) return up > 0 ? N : S;
  return across > 0 ? E : W;
}

/** The way over these squares, the first being where it begins: through the middle of their rails. */
export function wayOver(squares: readonly number[], rails: readonly number[][]): Point[] {
  const line: Point[] = [];
  squares.forEach((square, i) => {
    const [x, y] = cornerOf(square);
    const from = i > 0 ? towards(square, squares[i - 1]!) : 0;
    const to = i < squares.length - 1 ? towards(square, squares[i + 1]!) : 0;
    for (const [px, py] of through(rails[square] ?? [], from, to)) {
      const last = line[line.length - 1];
      const next: Point = [x + px, y + py];
      if (!last || Math.hypot(last[0] - next[0], last[1] - next[1]) > 0.01) line.push(next);
    }
  });
  return line;
}

/** From one side to another, or from where one stands to a side, or from a side to where one stands. */
function through(masks: readonly number[], from: number, to: number): Point[] {
  const here = stand(masks);
  if (from && to) {
    if (from === to) return [SIDE_AT[from]!, here, SIDE_AT[to]!];
    return bent(from | to, from);
  }
  const side = from || to;
  if (!side) return [here];
  const only = masks.length === 1 && masks[0]! & side ? masks[0]! : 0;
  const half = isCurve(only)
    ? bent(only, side).slice(0, FINE / 2 + 1)
    : [SIDE_AT[side]!, middle(0)];
  return from ? half : [...half].reverse();
}

/** A whole rail from this side on. */
function bent(mask: number, from: number): Point[] {
  const [ax, ay] = SIDE_AT[from]!;
  const [bx, by] = SIDE_AT[mask & ~from]!;
  if (!isCurve(mask))
    return [
      [ax, ay],
      [bx, by],
    ];
  // The corner is where both sides end.
  const cx = ax === 50 ? bx : ax;
  const cy = ay === 50 ? by : ay;
  const begin = Math.atan2(ay - cy, ax - cx);
  let turn = Math.atan2(by - cy, bx - cx) - begin;
  if (turn > Math.PI) turn -= 2 * Math.PI;
  if (turn < -Math.PI) turn += 2 * Math.PI;
  return Array.from({ length: FINE + 1 }, (_, i) => {
    const angle = begin + (turn * i) / FINE;
    return [cx + 50 * Math.cos(angle), cy + 50 * Math.sin(angle)];
  });
}

export function pathOf(line: readonly Point[]): string {
  return line
    .map(([x, y], i) => `${i ? "L" : "M"}${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`)
    .join("");
}

export function lengthOf(line: readonly Point[]): number {
  let length = 0;
  for (let i = 1; i < line.length; i++)
    length += Math.hypot(line[i]![0] - line[i - 1]![0], line[i]![1] - line[i - 1]![1]);
  return length;
}

/** The point after so much of the line. */
export function pointAt(line: readonly Point[], distance: number): Point {
  let left = distance;
  for (let i = 1; i < line.length; i++) {
    const [ax, ay] = line[i - 1]!;
    const [bx, by] = line[i]!;
    const piece = Math.hypot(bx - ax, by - ay);
    if (left <= piece && piece > 0) {
      const part = Math.max(0, left) / piece;
      return [ax + (bx - ax) * part, ay + (by - ay) * part];
    }
    left -= piece;
  }
  return line[line.length - 1] ?? [0, 0];
}

/** Where the number of a step stands: in the middle of the rail that is used there. */
export function stepAt(squares: readonly number[], i: number, rails: readonly number[][]): Point {
  const square = squares[i]!;
  const [x, y] = cornerOf(square);
  const from = i > 0 ? towards(square, squares[i - 1]!) : 0;
  const to = i < squares.length - 1 ? towards(square, squares[i + 1]!) : 0;
  const [px, py] = from && to && from !== to ? middle(from | to) : stand(rails[square] ?? []);
  return [x + px, y + py];
}

export const WIDTH = COLUMNS * SIZE;
export const HEIGHT = ROWS * SIZE;
