/* What drawer and current player of each turn say, side by side, and what cannot be. */

import { isObject } from "../../../lib/json";
import type { Said } from "../../../generated/protocol";
import type { Sight } from "../types";
import type { TrainView } from "../view";

export interface Claim {
  turn: number;
  drew?: string[];
  discarded?: string[];
  passed?: string[];
  received?: string[];
}

/** Two that cannot both be true, or one that all have seen to be false. */
export type Clash = "" | "pair" | "played";

export interface Pair {
  turn: number;
  drawer: number;
  current: number;
  played: string;
  drawers: Claim | null;
  currents: Claim | null;
  clash: Clash;
}

/** The newest turn first; only turns about which something was said. */
export function ledger(view: TrainView, said: readonly Said[]): Pair[] {
  const pairs = view.turns.map((turn, i): Pair => {
    const about = said.filter(({ said: one }) => claims(one) && one.claim.turn === i + 1);
    const current = turn.current ?? -1;
    const pair: Pair = {
      turn: i + 1,
      drawer: turn.drawer,
      current,
      played: turn.effect ?? "",
      drawers: lastOf(about, turn.drawer),
      currents: turn.drawer === current ? null : lastOf(about, current),
      clash: "",
    };
    // With Seize Control the card on the table is not the one that was chosen.
    const shown = [turn.effect, turn.seized].filter((card): card is string => !!card);
    return { ...pair, clash: clashOf(pair, shown) };
  });
  return pairs.filter((pair) => pair.drawers || pair.currents).reverse();
}

/** How much the others have said. */
export function heard(sight: Sight): number {
  return sight.scene.said.filter(({ seat }) => seat !== sight.number).length;
}

export interface Accusation {
  seat: number;
  other: number;
}

/** Whom everybody suspects, as they last said. */
export function accusations(said: readonly Said[]): Accusation[] {
  const last: Accusation[] = [];
  for (const { seat, said: one } of said) {
    const other = isObject(one) ? one.accuse : null;
    if (typeof other !== "number") continue;
    const at = last.findIndex((known) => known.seat === seat);
    if (at >= 0) last.splice(at, 1);
    last.push({ seat, other });
  }
  return last;
}

/** What a drawer says was passed on, as far as it follows. */
export function passedBy(claim: Claim): string[] | null {
  if (claim.passed) return claim.passed;
  if (claim.received) return claim.received;
  if (claim.drew && claim.discarded) return without(claim.drew, claim.discarded);
  return null;
}

function claims(said: unknown): said is { claim: Claim } {
  return isObject(said) && isObject(said.claim);
}

/** The last word counts. */
function lastOf(said: readonly Said[], seat: number): Claim | null {
  const own = said.findLast((one) => one.seat === seat)?.said;
  return claims(own) ? own.claim : null;
}

function clashOf({ drawers, currents }: Pair, shown: string[]): Clash {
  const passed = drawers && passedBy(drawers);
  const received = currents?.received ?? null;
  if (passed && received && !same(passed, received)) return "pair";
  if (drawers?.drew && received && without(received, drawers.drew).length) return "pair";
  const told = [passed ?? drawers?.drew ?? null, received];
  if (told.some((cards) => cards && without(shown, cards).length)) return "played";
  return "";
}

/** These without those, each as often as it is there. */
export function without(cards: readonly string[], gone: readonly string[]): string[] {
  const left = [...cards];
  for (const card of gone) {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && !without(a, b).length;
}
