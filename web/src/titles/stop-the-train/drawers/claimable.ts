/* Which turns one may speak about, and how many cards there were. */

import type { PastTurn } from "../../../generated/stop-the-train";
import type { TrainView } from "../view";

export interface Claimable {
  turn: number;
  drawer: boolean;
  /** How many cards were passed on, and how many of the three were discarded. */
  passed: number;
  discarded: number;
  past: PastTurn;
}

/** The own turns whose card has been played, the newest first. */
export function claimable(view: TrainView, seat: number): Claimable[] {
  const open = [view.step, ...(view.beneath ?? [])].includes("play") ? view.turns.length : 0;
  return view.turns
    .map((past, i) => ({
      turn: i + 1,
      drawer: past.drawer === seat,
      passed: past.gun ? 1 : 2,
      discarded: past.gun ? 2 : 1,
      past,
    }))
    .filter(
      ({ turn, past }) =>
        past.effect && turn !== open && (past.drawer === seat || past.current === seat),
    )
    .reverse();
}
