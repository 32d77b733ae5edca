/* What the boards of this title are drawn from, by its own types. */

import type { Laid, PastRound, Place, Team, TrolleyView } from "../../generated/trial-by-trolley";
import type { Happened, Sight } from "./types";

export type { Laid, PastRound, Place, Team, TrolleyView } from "../../generated/trial-by-trolley";

export function seen(sight: Sight): TrolleyView {
  return sight.scene.view;
}

export const SIDES = ["north", "south"] as const;
export type Side = (typeof SIDES)[number];
export type Deck = "innocent" | "guilty" | "modifier";

/** Which side somebody pleads for; "" for the Conductor and for who watches. */
export function sideOf(
  teams: readonly { players: readonly number[] }[],
  seat: number | null,
): Side | "" {
  const at = seat === null ? -1 : teams.findIndex((team) => team.players.includes(seat));
  return SIDES[at] ?? "";
}

/** What stands at a place of a track. */
export function placeAt(view: TrolleyView, at: { track: Side; place: number }): Place | undefined {
  return view.teams[SIDES.indexOf(at.track)]?.track[at.place];
}

/** Which team has this side; -1 is none. */
export function teamOf(name: string): number {
  return SIDES.findIndex((side) => side === name);
}

/** A card on a track, with where it came from. */
export interface Standing {
  deck: "innocent" | "guilty";
  card: string;
  /** Who sent it there; -1 is chance (TT-2.2). */
  by: number;
  modifiers: Laid[];
}

/** TT-2.2 to TT-2.4: the first card is chance's, the second its own team's, the last the other one's. */
export function standing(teams: readonly Team[], side: 0 | 1): Standing[] {
  const own = teams[side]!;
  const other = teams[1 - side]!;
  return own.track.map((place, at) => ({
    deck: at < 2 ? "innocent" : "guilty",
    card: place.card,
    by: at === 0 ? -1 : at === 1 ? own.innocent : other.guilty,
    modifiers: place.modifiers,
  }));
}

/** The same of a round that is over; who sent what is no longer told. */
export function stood(places: readonly Place[]): Standing[] {
  return places.map((place, at) => ({
    deck: at < 2 ? "innocent" : "guilty",
    card: place.card,
    by: -1,
    modifiers: place.modifiers,
  }));
}

/** What comes next to a track, while both teams choose: whose choice it is, and whether it is made. */
export function coming(
  view: TrolleyView,
  side: 0 | 1,
): { deck: Deck; by: number; ready: boolean } | null {
  if (view.phase === "innocent") {
    const team = view.teams[side]!;
    return { deck: "innocent", by: team.innocent, ready: team.ready };
  }
  if (view.phase === "guilty") {
    const team = view.teams[1 - side]!;
    return { deck: "guilty", by: team.guilty, ready: team.ready };
  }
  return null;
}

/** What the viewer's team has chosen for a track and not yet shown, if it is for this one. */
export function chosen(view: TrolleyView, side: 0 | 1): string {
  const { own, phase } = view;
  const choice = own?.choice ?? -1;
  if (!own || choice < 0 || (phase !== "innocent" && phase !== "guilty")) return "";
  const mine = teamOf(own.team);
  if ((phase === "innocent" ? mine : 1 - mine) !== side) return "";
  const holder = view.teams[mine]![phase];
  return own.hands.find((hand) => hand.seat === holder)?.[phase]?.[choice] ?? "";
}

export interface Spoken {
  seat: number;
  key: string;
  args: Record<string, unknown>;
}

/** One round as it was told: what was pleaded, pointed at, and given as a reason. */
export interface Telling {
  pleas: Spoken[];
  points: Spoken[];
  /** Why the trolley took that track: told after the round's verdict. */
  reasons: Spoken[];
}

const POINT = /^saying\.point/;
const PLEA = /^(saying\.(plea|rest)$|plea\.)/;
const REASON = /^(saying\.reason$|verdict\.)/;

/** What was said, round by round, in its order. */
export function tellings(happened: readonly Happened[]): Telling[] {
  const rounds: Telling[] = [];
  let judged = -1;
  for (const { events } of happened)
    for (const { key, args = {} } of events) {
      if (key === "event.round") rounds.push({ pleas: [], points: [], reasons: [] });
      if (key === "event.verdict") judged = rounds.length - 1;
      const spoken = { seat: "seat" in args ? args.seat : -1, key, args };
      const now = rounds[rounds.length - 1];
      if (PLEA.test(key)) now?.pleas.push(spoken);
      else if (POINT.test(key)) now?.points.push(spoken);
      else if (REASON.test(key)) rounds[judged]?.reasons.push(spoken);
    }
  return rounds;
}

/** What each Modifier points at, as was last said: by its card. Whoever brings a pack names its cards, also
    "constructor", so nothing here is looked up by them in a plain object. */
export type Points = ReadonlyMap<string, Spoken>;

export function pointed(points: readonly Spoken[]): Points {
  return new Map(points.map((point) => [String(point.args.modifier), point]));
}

/** How many deaths each had after each round. */
export function toll(past: readonly PastRound[], seats: number): number[][] {
  const now: number[] = Array.from({ length: seats }, () => 0);
  return past.map((round) => {
    for (const seat of dead(round)) now[seat]! += 1;
    return [...now];
  });
}

/** Whom a round cost a token. */
export function dead(round: PastRound): number[] {
  return round.teams[teamOf(round.taken)] ?? [];
}

export interface Fate {
  card: string;
  deck: "innocent" | "guilty";
  /** How often it was run over, or spared. */
  times: number;
  /** How many people went with it. */
  people: number;
  modifiers: string[];
}

/** The cards that the trolley took (or spared) most often; of several, the one in most company. */
export function fates(past: readonly PastRound[], killed: boolean): Fate[] {
  const found = new Map<string, Fate>();
  for (const round of past)
    SIDES.forEach((side, at) => {
      if ((round.taken === side) !== killed) return;
      for (const { card, deck, modifiers } of stood(round[side])) {
        const fate = found.get(card) ?? { card, deck, times: 0, people: 0, modifiers: [] };
        found.set(card, fate);
        fate.times += 1;
        fate.people += round.teams[at]!.length;
        fate.modifiers.push(...modifiers.map((laid) => laid.card));
      }
    });
  const weight = (one: Fate) => one.times * 1e6 + one.modifiers.length * 1e3 + one.people;
  return [...found.values()].sort((a, b) => weight(b) - weight(a));
}
