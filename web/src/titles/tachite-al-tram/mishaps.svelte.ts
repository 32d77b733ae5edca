/* The card that lies open for somebody, until they have read it: hand and board both show it. */

import { hits } from "./hits";
import { mishap, type Mishap } from "./mishap";
import type { Sight } from "./types";

export class Mishaps {
  private read = $state(-1);
  private come = false;

  /** What was turned over before one came is no news. */
  begin(sight: Sight): void {
    if (!this.come) this.read = mishap(sight.happened)?.n ?? 0;
    this.come = true;
  }

  /** It has been read; a step back in a replay unreads what is yet to come. */
  put(n: number): void {
    this.read = n;
  }

  follow(sight: Sight): void {
    const n = mishap(sight.happened)?.n ?? 0;
    if (n < this.read) this.read = n;
  }

  /** Who is not concerned sees it until something is asked of them, or the next turn is over. */
  shown(sight: Sight, asked: boolean): Mishap | null {
    const last = mishap(sight.happened);
    if (!last || last.n <= this.read) return null;
    const me = sight.number;
    const mine = me !== null && (last.seat === me || hits(last.events, me).length > 0);
    return mine || (!asked && last.turns < 2) ? last : null;
  }
}
