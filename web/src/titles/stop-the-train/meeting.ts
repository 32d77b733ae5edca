/* A meeting, as the view tells it. */

import type { TrainView } from "./view";

const MEETING = ["meeting", "ballot", "aftermath", "rescue"];
const VOTING = ["vote-called", "vote", "vote-decided"];

function goesOn(view: TrainView, steps: string[]): boolean {
  return [view.step, ...(view.beneath ?? [])].some((step) => steps.includes(step));
}

/** A meeting is going on, or its aftermath. */
export function meets(view: TrainView): boolean {
  return goesOn(view, MEETING);
}

/** People may talk: a meeting is held, and nobody has voted yet. */
export function talking(view: TrainView): boolean {
  const { ballots = [], voted = [] } = view.meeting ?? {};
  const begun = voted.length > 0 || ballots.some((other) => other >= 0);
  return goesOn(view, ["meeting", "ballot"]) && !begun;
}

/** The vote on the route is going on. */
export function voting(view: TrainView): boolean {
  return goesOn(view, VOTING);
}

/** Who takes part, in the order in which they speak and vote: from the current player's left. */
export function speakers(view: TrainView): number[] {
  const many = view.players.length;
  const order = Array.from({ length: many }, (_, i) => (view.current + 1 + i) % many);
  return order.filter((seat) => view.players[seat]?.status === "aboard");
}

/** Whose vote it is, in an open one; -1 if nobody's. */
export function speaking(view: TrainView): number {
  if (view.step !== "ballot" || view.meeting?.secret) return -1;
  const out = view.meeting?.occupied ?? [];
  return (
    speakers(view).find((seat) => !out.includes(seat) && (view.meeting?.ballots[seat] ?? -1) < 0) ??
    -1
  );
}

/** Who voted for somebody, and how many votes that makes. */
export function against(view: TrainView, seat: number): { voters: number[]; votes: number } {
  const meeting = view.meeting;
  if (meeting?.secret) return { voters: [], votes: meeting.tally?.[seat] ?? 0 };
  const voters = (meeting?.ballots ?? []).flatMap((other, voter) =>
    other === seat ? [voter] : [],
  );
  const double = voters.filter((voter) => meeting?.first_class?.includes(voter));
  return { voters, votes: voters.length + double.length };
}
