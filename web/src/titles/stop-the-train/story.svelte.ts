/* What somebody would tell about their last turn. Whether it is true makes no difference here: every card is
   named by hand but the one that all have seen, and none is proposed. */

import { claimable, type Claimable } from "./drawers/claimable";
import type { Claim } from "./drawers/ledger";
import type { Sight } from "./types";
import { seen } from "./view";

export class Story {
  /** The cards named so far: first those that were passed on, then those discarded. */
  named = $state.raw<readonly string[]>([]);
  private turn = $state(0);
  /** The last turn about which nothing is to be said. */
  private silent = $state(0);

  /** The turn just past, if it was mine and I have not spoken of it. */
  about(sight: Sight): Claimable | null {
    const me = sight.number;
    if (me === null || !sight.code) return null; // in a lesson the teacher asks
    const view = seen(sight);
    const [last] = claimable(view, me);
    if (!last || last.turn <= this.silent || last.turn < view.turns.length - 1) return null;
    const told = sight.scene.said.some(
      ({ seat, said }) => seat === me && turnOf(said) === last.turn,
    );
    return told ? null : last;
  }

  /** What was begun about another turn is forgotten. */
  begin({ turn }: Claimable): void {
    if (turn !== this.turn) this.named = [];
    this.turn = turn;
  }

  name(effect: string, about: Claimable): void {
    if (this.named.length < missing(about)) this.named = [...this.named, effect];
  }

  drop(at: number): void {
    this.named = this.named.filter((_, place) => place !== at);
  }

  keepSilent({ turn }: Claimable): void {
    this.silent = turn;
  }

  /** What is said of it when all is named; null until then. */
  claim(about: Claimable): Claim | null {
    const { turn, drawer, past } = about;
    if (this.named.length < missing(about)) return null;
    const passed = [past.effect ?? "", ...this.named.slice(0, about.passed - 1)];
    if (!drawer) return { turn, received: passed };
    const discarded = this.named.slice(about.passed - 1);
    return { turn, drew: [...passed, ...discarded], discarded };
  }
}

/** How many cards are to be named: all but the one that was played. */
export function missing({ drawer, passed, discarded }: Claimable): number {
  return passed - 1 + (drawer ? discarded : 0);
}

function turnOf(said: unknown): number {
  return (said as { claim?: Claim }).claim?.turn ?? 0;
}
