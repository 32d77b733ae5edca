/* The run of the train as a timetable: where it was after each turn, and what happened there. */

import type { Happened } from "../types";
import { box, last, stretches, toParis, type Stretch, type TrainView } from "../view";

export interface Leg {
  turn: number;
  from: number;
  to: number;
  speed: number;
}

export interface Mark {
  turn: number;
  at: number;
  what: "off" | "dead" | "tie" | "vote" | "record" | "end";
  /** Who left the train. */
  seats: number[];
  /** How the votes fell, the most first. */
  votes: number[];
  /** Whose card decided it in place of the votes, or after them. */
  by?: { seat: number; card: "run-the-red" | "swing-vote" };
}

export interface Story {
  legs: Leg[];
  marks: Mark[];
  /** How the votes fell at each meeting, the most first. */
  votes: number[][];
  bands: Stretch[];
  box: number;
  last: number;
}

export function story(view: TrainView, happened: readonly Happened[]): Story {
  const route = view.route || shortest(view);
  const legs = view.turns.map((turn, i): Leg => {
    const from = i ? (view.turns[i - 1]!.at ?? 0) : view.table.start;
    return { turn: i + 1, from, to: turn.at ?? from, speed: turn.speed ?? 0 };
  });
  // The turn in which it crashed may not have come to its end.
  const final = legs[legs.length - 1];
  if (final && final.to < final.from) final.to = view.at;
  const at = (turn: number) => legs[turn - 1]?.to ?? 0;
  const mark = (turn: number, what: Mark["what"], seats: number[] = [], votes: number[] = []) => ({
    turn,
    at: at(turn),
    what,
    seats,
    votes,
  });
  const votes = tallies(happened);
  const marks: Mark[] = [
    ...view.meetings.map((one, number) =>
      mark(one.turn, one.off.length ? "off" : "tie", one.off, votes[number]),
    ),
    ...view.spent
      .filter((one) => one.card === "murder-in-the-dark" && !one.cancelled)
      .map((one) => mark(one.turn, "dead", [one.other ?? 0])),
    ...records(happened).map((turn) => mark(turn, "record")),
  ];
  const halt = legs.find((leg) => leg.to === box(view) && leg.from < box(view));
  if (halt && (view.route || view.vote.decided))
    marks.push({ ...mark(halt.turn, "vote"), ...routeVote(view, happened) });
  if (legs.length) marks.push(mark(legs.length, "end"));
  marks.sort((a, b) => a.turn - b.turn);
  return {
    legs,
    marks,
    votes,
    bands: stretches(view, route),
    box: box(view),
    last: last(view, route),
  };
}

/** How many spaces it was short of Paris. */
export function short(view: TrainView): number {
  return toParis(view)[0];
}

function shortest(view: TrainView): string {
  return view.vote.decided || "fast-track";
}

/** How the votes fell at each meeting, as it was told: first class counts double, and of a secret ballot
    only the sums are known. */
export function tallies(happened: readonly Happened[]): number[][] {
  const meetings: { double: Set<number>; ballots: Map<number, number>; sums: number[] }[] = [];
  for (const event of happened.flatMap((one) => one.events)) {
    const now = meetings.at(-1);
    if (event.key === "event.meeting")
      meetings.push({ double: new Set(), ballots: new Map(), sums: [] });
    else if (event.key === "event.first-class") now?.double.add(event.args.seat);
    else if (event.key === "event.ballot") now?.ballots.set(event.args.seat, event.args.other);
    else if (event.key === "event.ballots") now?.sums.push(Number(event.args.count));
  }
  return meetings.map(({ double, ballots, sums }) => {
    const votes = new Map<number, number>();
    for (const [seat, other] of ballots)
      votes.set(other, (votes.get(other) ?? 0) + (double.has(seat) ? 2 : 1));
    return sorted([...votes.values(), ...sums]);
  });
}

/** How the route came about: by votes, by votes and a card, or by a card against them. */
function routeVote(
  view: TrainView,
  happened: readonly Happened[],
): Pick<Mark, "votes"> & Partial<Pick<Mark, "by">> {
  let by: Mark["by"];
  for (const event of happened.flatMap((one) => one.events)) {
    if (event.key === "event.imposed") by = { seat: event.args.seat, card: "run-the-red" };
    if (event.key === "event.swung") by = { seat: event.args.seat, card: "swing-vote" };
    if (event.key === "event.annulled") by = undefined;
  }
  const counted = view.vote.counted?.at(-1);
  const votes = view.vote.imposed ? [] : sorted(counted?.tally ?? []);
  return by ? { votes, by } : { votes };
}

function sorted(votes: readonly number[]): number[] {
  return votes.filter((one) => one > 0).sort((a, b) => b - a);
}

/** On which turns the speed record fell, as it was told. */
function records(happened: readonly Happened[]): number[] {
  const turns: number[] = [];
  let turn = 0;
  for (const event of happened.flatMap((one) => one.events)) {
    if (event.key === "event.drew" || event.key === "event.drew.own")
      turn = Number(event.args.turn);
    if (event.key === "event.record") turns.push(turn);
  }
  return turns;
}
