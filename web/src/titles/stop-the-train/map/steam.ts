/* Steam from the engine, and sparks from its wheels when it brakes: where each shape is after so many
   milliseconds. Nothing is kept between two pictures, so that a run can end at any moment. */

import { direction, place, type Layout } from "./geometry";
import type { Run } from "./run.svelte";

export interface Puff {
  x: number;
  y: number;
  r: number;
  /** From 1, dense, to 0, gone. */
  left: number;
}

export interface Spark {
  x: number;
  y: number;
  a: number;
  left: number;
}

/** How many of each there are at most. */
export const MOST = 6;
const PUFF_LASTS = 620;
const SPARK_LASTS = 240;

type Going = Pick<Run, "past" | "lasts" | "where">;

/** Puffs stay where they left the chimney, rise and grow. */
export function steam(layout: Layout, route: string, run: Going): Puff[] {
  const every = Math.max(run.lasts / MOST, 120);
  return shapes(run.past, every, PUFF_LASTS, run.lasts).map(({ age, born }) => {
    const { x, y, a } = place(layout, route, run.where(born));
    const [dx, dy] = direction(a);
    const part = age / PUFF_LASTS;
    return {
      x: x + dx * 4 - part * 5,
      y: y + dy * 4 - 10 - part * 26,
      r: 6 + part * 12,
      left: 1 - part,
    };
  });
}

/** Sparks fly back from the wheels, to both sides, while the train comes to its halt. */
export function sparks(layout: Layout, route: string, run: Going): Spark[] {
  const every = SPARK_LASTS / MOST;
  return shapes(run.past, every, SPARK_LASTS, run.lasts).map(({ age, born }) => {
    const { x, y, a } = place(layout, route, run.where(born));
    const [dx, dy] = direction(a);
    const part = age / SPARK_LASTS;
    const side = Math.round(born / every) % 2 ? 1 : -1;
    const [back, out] = [-6 - part * 26, side * (9 + part * 12)];
    return {
      x: x + dx * back - dy * out,
      y: y + dy * back + dx * out,
      a: a + side * 24,
      left: 1 - part,
    };
  });
}

/** Those that were born at equal times and are still there. */
function shapes(now: number, every: number, live: number, until: number) {
  const found: { age: number; born: number }[] = [];
  const first = Math.max(0, Math.ceil((now - live) / every));
  for (let i = first; i * every <= now && i * every < until; i++)
    found.push({ age: now - i * every, born: i * every });
  return found.slice(-MOST);
}
