/* The table read aloud: every fact of the view as a line (the same as read.py). */

import type { Line } from "../../generated/protocol";
import { SIDES, type TrolleyView } from "./view";

const DECKS = ["innocent", "guilty", "modifier"] as const;

/** What everybody may hear. */
export function readTable(view: TrolleyView): Line[] {
  const round = Math.min(view.round + 1, view.rounds);
  const lines: Line[] = [
    { key: "read.round", args: { round, rounds: view.rounds, seat: view.conductor } },
    { key: `read.phase.${view.phase}` },
  ];
  view.teams.forEach((team, at) => {
    lines.push({ key: "read.track", args: { track: SIDES[at], team: team.players } });
    for (const { card, modifiers } of team.track) {
      lines.push({ key: "read.card", args: { card } });
      for (const laid of modifiers)
        lines.push({ key: "read.laid", args: { card: laid.card, seat: laid.by } });
    }
  });
  if (view.queue.length) lines.push({ key: "read.queue", args: { seats: view.queue } });
  view.tokens.forEach((count, seat) => lines.push({ key: "read.tokens", args: { seat, count } }));
  view.decks.forEach(({ left, discarded }, at) =>
    lines.push({ key: "read.deck", args: { deck: DECKS[at], left, away: discarded } }),
  );
  if ((view.tom ?? -1) >= 0) lines.push({ key: "read.tom", args: { seat: view.tom } });
  return lines;
}

/** What only the own team may hear. */
export function readOwn(view: TrolleyView): Line[] {
  const { own } = view;
  if (!own) return [];
  const lines: Line[] = [{ key: "read.team", args: { track: own.team } }];
  for (const hand of own.hands)
    for (const deck of DECKS) {
      const cards = hand[deck] ?? [];
      if (cards.length) lines.push({ key: "read.hand", args: { seat: hand.seat, deck, cards } });
    }
  return lines;
}
