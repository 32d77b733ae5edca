/* How it went for everybody, round by round. */

import { dead, type TrolleyView } from "../view";

export interface Way {
  seat: number;
  /** The rounds that cost them a token, counted from one. */
  died: number[];
  /** The rounds in which they held the lever. */
  drove: number[];
}

export function ways(view: Pick<TrolleyView, "past">, seats: number): Way[] {
  const rounds = (held: (round: TrolleyView["past"][number]) => boolean) =>
    view.past.flatMap((round, number) => (held(round) ? [number + 1] : []));
  return Array.from({ length: seats }, (_, seat) => ({
    seat,
    died: rounds((round) => dead(round).includes(seat)),
    drove: rounds((round) => round.conductor === seat),
  }));
}
