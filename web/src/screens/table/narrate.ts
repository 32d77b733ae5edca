/* What happened, as it is told at the table: a sentence or two at a time, never faster than one can read. */

import type { Line } from "../../generated/protocol";
import type { Happened } from "../../lib/seat.svelte";
import { paragraphs } from "./log";

/** What is told at once. */
export interface Telling {
  /** Whose doing it was, if anybody's. */
  seat: number | null;
  lines: Line[];
}

/** Milliseconds between two tellings, at least. */
export const GAP = 1200;
/** So many may wait; who is told more than that is told the newest. The log has them all. */
export const MOST = 3;
/** So many signs have room in one telling. */
const ROOM = 90;
/** What a line calls those that it is about. */
const PEOPLE = ["seat", "other", "others", "victim", "seats", "team", "north", "south"];

/** Oldest first. What happened at once is told at once, as far as there is room for it. */
export function tellings(
  happened: readonly Happened[],
  covered: boolean,
  length: (line: Line) => number,
): Telling[] {
  return paragraphs(happened, covered)
    .reverse()
    .flatMap(({ lines }) => packed(lines, length));
}

function packed(lines: readonly Line[], length: (line: Line) => number): Telling[] {
  const found: Telling[] = [];
  let room = 0;
  for (const line of lines) {
    const last = found.at(-1);
    const seat = line.args?.["seat"];
    const actor = typeof seat === "number" ? seat : null;
    room -= length(line) + 1;
    if (last && room >= 0) {
      last.lines.push(line);
      last.seat ??= actor;
    } else {
      found.push({ seat: actor ?? last?.seat ?? null, lines: [line] });
      room = ROOM - length(line);
    }
  }
  return found;
}

/** Whether somebody is named in it. */
export function names({ lines }: Telling, seat: number): boolean {
  return lines.some(({ args }) => PEOPLE.some((who) => [args?.[who]].flat().includes(seat)));
}

/** Shows one thing after the other. */
export class Paced<T> {
  private waiting: T[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly show: (one: T) => void) {}

  add(more: readonly T[]): void {
    this.waiting = [...this.waiting, ...more].slice(-MOST);
    if (this.timer === undefined) this.next();
  }

  /** Nothing waits any more. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
  }

  private next(): void {
    const one = this.waiting.shift();
    this.timer = one === undefined ? undefined : setTimeout(() => this.next(), GAP);
    if (one !== undefined) this.show(one);
  }
}
