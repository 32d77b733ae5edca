/* Where a roll can lead: the ends that the table names, put in order for people. */

import type { Chart } from "./chart";
import type { Ahead, End } from "./view";

export interface Goal {
  square: number;
  /** The ways that lead there, the one that costs least first. */
  ends: End[];
  /** What it would do to oneself at best. */
  damage: number;
  /** Whose trams would be hit, at best. */
  hits: number[];
  /** The rails end there. */
  off: boolean;
  kind: (typeof ORDER)[number];
}

const ORDER = ["terminus", "stop", "workshop", "rail"] as const;

/** With the terminus one is heading for first; the other one is no place to go. */
export function goals(ends: readonly End[], chart: Chart, home: number): Goal[] {
  const found = new Map<number, End[]>();
  for (const end of ends) found.set(end.square, [...(found.get(end.square) ?? []), end]);
  return [...found]
    .map(([square, there]) => {
      const kind = ORDER.find((one) => one === chart.kinds[square]) ?? "rail";
      const inOrder = [...there].sort((a, b) => cost(a) - cost(b) || a.path.length - b.path.length);
      const best = inOrder[0]!;
      return {
        square,
        ends: inOrder,
        damage: best.damage,
        hits: best.hits,
        off: best.damage > (best.hits.length ? 1 : 0),
        kind,
      };
    })
    .sort(
      (a, b) =>
        Number(harmful(a)) - Number(harmful(b)) ||
        worth(a, home) - worth(b, home) ||
        b.square - a.square,
    );
}

/** Where a tram is heading. */
export function homeOf(chart: Chart, tram: { to: string } | undefined): number {
  if (!tram) return -1;
  return tram.to === "opicina" ? chart.opicina : chart.oberdan;
}

function worth(goal: Goal, home: number): number {
  const away = goal.kind === "terminus" && goal.square !== home;
  return away ? ORDER.length : ORDER.indexOf(goal.kind);
}

function cost(end: End): number {
  return end.damage + end.hits.length;
}

export function harmful(goal: Goal): boolean {
  return goal.damage > 0 || goal.hits.length > 0;
}

/** Before rolling: by square, the rolls that lead there. */
export function rollsTo(reach: Ahead["reach"]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const { roll, ends } of reach)
    for (const { square } of ends) {
      const rolls = found.get(square) ?? [];
      if (!rolls.includes(roll)) found.set(square, [...rolls, roll]);
    }
  return found;
}
