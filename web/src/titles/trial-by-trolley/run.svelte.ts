/* The trolley's run after a verdict: it takes a moment, and then lies behind everybody. */

import { moves } from "../../lib/prefs.svelte";

const LASTS = 1800;
/** So long a verdict is looked at before the next round comes up by itself. */
const LOOK = 6000;

export class Run {
  /** The round whose verdict is shown, or -1. */
  round = $state(-1);
  /** How far the trolley has come down the track, from 0 to 1. */
  at = $state(1);
  private frame = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Show this verdict; `stay` until it is dismissed. */
  show(round: number, stay: boolean): void {
    this.stop();
    this.round = round;
    if (!stay) this.timer = setTimeout(() => this.dismiss(), LOOK);
    this.at = moves() ? 0 : 1;
    if (this.at === 1) return;
    const began = performance.now();
    const step = (now: number) => {
      this.at = Math.min(1, Math.max(0, (now - began) / LASTS));
      if (this.at < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  /** It is looked at for longer than usual. */
  hold(): void {
    clearTimeout(this.timer);
  }

  dismiss(): void {
    this.stop();
    this.round = -1;
    this.at = 1;
  }

  stop(): void {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
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
