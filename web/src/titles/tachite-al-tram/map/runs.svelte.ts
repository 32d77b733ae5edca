/* The trams on the move: along their way, a square in the same time each; a tap ends it at once. */

import { moves } from "../../../lib/prefs.svelte";
import type { Point } from "./rails";
import { lengthOf, pointAt } from "./way";

const PER_SQUARE = 110;
const MOST = 1400;

export class Runs {
  /** Where each tram is drawn. */
  at = $state.raw<Point[]>([]);
  running = $state(false);
  private goals: Point[] = [];
  private frame = 0;

  /** Where they stand now; those with a way go along it, the others straight there. */
  to(goals: readonly Point[], ways: ReadonlyMap<number, readonly Point[]>): void {
    const first = this.at.length !== goals.length;
    const from = this.at;
    this.stop();
    this.goals = [...goals];
    if (first || !moves()) {
      this.at = this.goals;
      return;
    }
    const lines = goals.map((goal, seat): readonly Point[] => {
      const way = ways.get(seat);
      return way?.length ? way : [from[seat]!, goal];
    });
    const lengths = lines.map(lengthOf);
    const longest = Math.max(...lengths);
    if (longest < 1) {
      this.at = this.goals;
      return;
    }
    const lasts = Math.min(MOST, 160 + (longest / 100) * PER_SQUARE);
    const began = performance.now();
    this.running = true;
    const step = (now: number) => {
      const part = Math.min(1, Math.max(0, (now - began) / lasts));
      if (part === 1) return this.skip();
      this.at = lines.map((line, seat) => pointAt(line, lengths[seat]! * eased(part)));
      this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  skip(): void {
    this.stop();
    this.at = this.goals;
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.running = false;
  }
}

/** Quick to start; it brakes on the last stretch. */
function eased(t: number): number {
  return 1 - (1 - t) ** 1.7;
}

/** Trams on the same square stand beside each other. */
export function spread(at: readonly Point[]): Point[] {
  return at.map(([x, y], seat) => {
    const here = at.flatMap(([ox, oy], other) => (Math.hypot(x - ox, y - oy) < 12 ? [other] : []));
    const place = here.indexOf(seat) - (here.length - 1) / 2;
    return [x + place * 40, y + place * 4];
  });
}
