/* A card that was turned over, and what came of it: for whom, and on which square. */

import type { Game, Happened } from "./types";

type Event = Game["event"];

/** What came of a card for one tram, or for a square. */
export interface Effect {
  /** Whose tram; null: nobody's, and the tag names the square. */
  seat: number | null;
  event: Event;
  good: boolean;
  /** In short: "2/3", "E8 → E7", "+1". */
  tag: string;
}

export interface Mishap {
  id: string;
  /** Who turned it over. */
  seat: number;
  /** When it was told: the same card may come twice. */
  n: number;
  good: boolean;
  effects: Effect[];
  /** What was told with it and after it, up to the next turn. */
  events: Event[];
  /** How many turns have begun since. */
  turns: number;
}

/** Cards that one is glad of, also those that are kept. */
const GOOD = [
  "concert",
  "spritz",
  "mechanic",
  "san-nicolo",
  "nero-in-b",
  "san-giusto",
  "tram-de-opcina",
  "crowded-stop",
];

/** The last card that was turned over. */
export function mishap(happened: readonly Happened[]): Mishap | null {
  const at = happened.findLastIndex(({ events }) => events.some(isCard));
  const frame = happened[at];
  if (!frame) return null;
  const from = frame.events.findLastIndex(isCard);
  const card = frame.events[from]!;
  if (card.key !== "event.misfortune") return null;
  const after = [
    ...frame.events.slice(from),
    ...happened.slice(at + 1).flatMap(({ events }) => events),
  ];
  const end = after.findIndex((event) => event.key === "event.turn");
  const events = end < 0 ? after : after.slice(0, end);
  const before = [
    ...happened.slice(0, at).flatMap((one) => one.events),
    ...frame.events.slice(0, from),
  ];
  return {
    id: card.args.card,
    seat: card.args.seat,
    n: frame.n,
    good: GOOD.includes(card.args.card),
    effects: events.flatMap((event) => effectsOf(event, before)),
    events,
    turns: after.filter((event) => event.key === "event.turn").length,
  };
}

function isCard(event: Event): boolean {
  return event.key === "event.misfortune";
}

function effectsOf(event: Event, before: readonly Event[]): Effect[] {
  const one = (seat: number, good: boolean, tag: string): Effect => ({ seat, event, good, tag });
  switch (event.key) {
    case "event.damaged":
      return [one(event.args.seat, false, `${event.args.damage}/3`)];
    case "event.repaired":
      return [one(event.args.seat, true, `${event.args.damage}/3`)];
    case "event.wrecked":
      return [one(event.args.seat, false, "3/3")];
    case "event.carried": {
      const { seat, at } = event.args;
      const was = whereabouts(before, seat);
      return [one(seat, false, was ? `${was} → ${at}` : at)];
    }
    case "event.lost":
      return [one(event.args.seat, false, "−1")];
    case "event.gained":
      return [one(event.args.seat, true, "+1")];
    case "event.handed":
      return [one(event.args.other, true, "+1"), one(event.args.seat, false, "−1")];
    case "event.used": // a card that was kept for this
    case "event.exchanged":
      return [one(event.args.seat, true, "")];
    case "event.tile-gone":
      return [{ seat: null, event, good: false, tag: event.args.square }];
    default:
      return [];
  }
}

/** The square that a tram was last told to be on. */
function whereabouts(before: readonly Event[], seat: number): string {
  const told = before.findLast(({ sets }) => sets?.[`trams.${seat}.square`] !== undefined);
  return told?.sets?.[`trams.${seat}.square`] ?? "";
}
