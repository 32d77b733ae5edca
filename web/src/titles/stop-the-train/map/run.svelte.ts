/* The train's run: space by space, each in the same time; a tap ends it at once. */

import { moves } from "../../../lib/prefs.svelte";

const PER_SPACE = 260;
/** No train does more in a turn: who missed turns sees the last one. */
const MOST = 6;

export class Run {
  /** Where the train is drawn; between spaces while it runs. */
  at = $state(0);
  running = $state(false);
  /** How long it has been running, and will have in all: milliseconds. */
  past = $state(0);
  lasts = 0;
  /** Where this run began and where it ends. */
  from = 0;
  there = 0;
  /** It goes slower than before: sparks fly. */
  brakes = false;
  private speed: number;
  private frame = 0;

  constructor(at: number, speed = 0) {
    this.at = at;
    this.speed = speed;
  }

  /** Go there, at a speed. Backwards (an undo) it jumps. */
  to(there: number, speed = this.speed): void {
    this.stop();
    this.brakes = speed < this.speed;
    this.speed = speed;
    const from = Math.max(this.at, there - MOST);
    if (there <= from || !moves()) {
      this.at = there;
      return;
    }
    this.running = true;
    this.from = from;
    this.there = there;
    this.past = 0;
    this.lasts = PER_SPACE * (there - from);
    const began = performance.now();
    const step = (now: number) => {
      this.past = Math.max(0, now - began);
      if (this.past >= this.lasts) return this.skip(there);
      this.at = this.where(this.past);
      this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  /** Where the train is so long after its start. */
  where(past: number): number {
    return this.from + (this.there - this.from) * eased(Math.min(1, past / this.lasts));
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
