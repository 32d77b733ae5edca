/* The train's run: space by space, each in the same time; a tap ends it at once. */

import { moves } from "../../../lib/prefs.svelte";

const PER_SPACE = 260;
/** No train does more in a turn: who missed turns sees the last one. */
const MOST = 6;

export class Run {
  /** Where the train is drawn; between spaces while it runs. */
  at = $state(0);
  running = $state(false);
  private frame = 0;

  constructor(at: number) {
    this.at = at;
  }

  /** Go there. Backwards (an undo) it jumps. */
  to(there: number): void {
    this.stop();
    const from = Math.max(this.at, there - MOST);
    if (there <= from || !moves()) {
      this.at = there;
      return;
    }
    this.running = true;
    const began = performance.now();
    const lasts = PER_SPACE * (there - from);
    const step = (now: number) => {
      const part = Math.min(1, Math.max(0, (now - began) / lasts));
      if (part === 1) return this.skip(there);
      this.at = from + (there - from) * eased(part);
      this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  skip(there: number): void {
    this.stop();
    this.at = there;
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.running = false;
  }
}

/** Steady, but for the start and the halt. */
function eased(t: number): number {
  const edge = 0.15;
  const top = 1 / (1 - edge);
  if (t < edge) return ((t * t) / edge / 2) * top;
  if (t > 1 - edge) return 1 - (((1 - t) * (1 - t)) / edge / 2) * top;
  return (t - edge / 2) * top;
}
