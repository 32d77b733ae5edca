/* The trolley's run after a verdict: it takes a moment, and then lies behind everybody. */

import { Tween } from "svelte/motion";
import { moves } from "../../lib/prefs.svelte";

const LASTS = 1800;
/** So long a verdict is looked at before the next round comes up by itself. */
const LOOK = 6000;

export class Run {
  /** The round whose verdict is shown, or -1. */
  round = $state(-1);
  private readonly way = new Tween(1, { duration: LASTS });
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** How far the trolley has come down the track, from 0 to 1. */
  get at(): number {
    return this.way.current;
  }

  /** Show this verdict; `stay` until it is dismissed. One that is shown already does not begin anew. */
  show(round: number, stay: boolean): void {
    clearTimeout(this.timer);
    if (!stay) this.timer = setTimeout(() => this.dismiss(), LOOK);
    if (round === this.round) return;
    this.round = round;
    if (!moves()) return this.arrive();
    void this.way.set(0, { duration: 0 });
    void this.way.set(1);
  }

  /** It is looked at for longer than usual. */
  hold(): void {
    clearTimeout(this.timer);
  }

  dismiss(): void {
    this.stop();
    this.round = -1;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.arrive();
  }

  private arrive(): void {
    void this.way.set(1, { duration: 0 });
  }
}

/** How far the trolley must have come to have hit this card of three. */
export function hits(at: number, place: number, cards: number): boolean {
  return at >= 0.3 + (0.55 * (place + 0.5)) / Math.max(1, cards);
}

/** It starts slowly, as heavy things do. */
export function gone(at: number): number {
  return at * at * (2 - at);
}
