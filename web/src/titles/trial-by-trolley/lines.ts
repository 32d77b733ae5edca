/* Ready-made pleas and reasons about cards on the table: every reader gets them in their own language. */

import { SIDES, stood, type Side, type TrolleyView } from "./view";

export interface Line {
  line: string;
  cards: string[];
}

/** For a side: praise for its own, blame for the others, and both in one breath. */
export function pleaLines(view: TrolleyView, side: Side): Line[] {
  const at = SIDES.indexOf(side);
  const cards = view.teams.map((team) => stood(team.track));
  const own = cards[at]!.filter((one) => one.deck === "innocent").map((one) => one.card);
  const other = [...cards[1 - at]!].reverse().map((one) => one.card);
  const dear = own[own.length - 1];
  const foe = other[0];
  if (!dear || !foe) return [];
  return [
    { line: "plea.them", cards: [foe] },
    { line: "plea.save", cards: [dear] },
    { line: "plea.worse", cards: [dear, foe] },
    { line: "plea.think", cards: [own[0]!] },
    { line: "plea.choose", cards: [dear, foe] },
    { line: "plea.history", cards: [dear] },
    { line: "plea.honest", cards: [own[0]!, foe] },
    { line: "plea.who-else", cards: [own[0]!] },
  ];
}

/** For who has just judged: praise for who was spared, blame for who was not. */
export function reasonLines(view: TrolleyView): Line[] {
  const last = view.past[view.past.length - 1];
  if (!last) return [];
  const [taken, spared] =
    last.taken === "north" ? [last.north, last.south] : [last.south, last.north];
  const dear = spared[0]?.card;
  const foe = taken[taken.length - 1]?.card;
  if (!dear || !foe) return [];
  return [
    { line: "verdict.harm", cards: [foe] },
    { line: "verdict.heart", cards: [dear] },
    { line: "verdict.lives", cards: [dear] },
    { line: "verdict.absurd", cards: [dear] },
    { line: "verdict.coin", cards: [] },
  ];
}
