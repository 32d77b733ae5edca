/* What moves on a board, as it was told: leg after leg, each begun once and brought to its end. Who is
   asked something does not wait for it. */

import { Tween } from "svelte/motion";
import { moves } from "../lib/prefs.svelte";
import type { Game, Happened } from "../lib/sight";

/** Who missed more sees the last of it. */
const MOST = 3;

export class Journey<Leg> {
  /** The leg under way; null: everything stands where it should. */
  leg = $state.raw<Leg | null>(null);
  private readonly clock = new Tween(0);
  private waiting: Leg[] = [];

  /** A leg takes so many milliseconds; `done` when it lies behind. */
  constructor(
    private readonly lasts: (leg: Leg) => number,
    private readonly done: (leg: Leg) => void,
  ) {}

  /** For how long the leg has been under way: milliseconds. */
  get past(): number {
    return this.clock.current;
  }

  /** These too, after those that are under way. */
  add(legs: readonly Leg[]): void {
    if (!legs.length) return;
    if (!moves()) return this.end(legs);
    this.waiting.push(...legs);
    while (this.waiting.length > MOST) this.done(this.waiting.shift()!);
    if (this.leg === null) void this.next();
  }

  /** Everything that is under way lies behind. */
  skip(): void {
    this.end([]);
  }

  private async next(): Promise<void> {
    const leg = this.waiting.shift() ?? null;
    this.leg = leg;
    if (leg === null) return;
    void this.clock.set(0, { duration: 0 });
    const duration = this.lasts(leg);
    await this.clock.set(duration, { duration });
    if (this.leg !== leg) return; // it was skipped
    this.done(leg);
    await this.next();
  }

  private end(more: readonly Leg[]): void {
    void this.clock.set(0, { duration: 0 });
    const left = [...(this.leg === null ? [] : [this.leg]), ...this.waiting, ...more];
    this.waiting = [];
    this.leg = null;
    for (const leg of left) this.done(leg);
  }
}

/** What was told since it was last asked: nothing at first, nor after a step back, nor to who had forgotten all. */
export class Tidings<G extends Game> {
  private n = -1;

  of(happened: readonly Happened<G>[]): G["event"][] {
    const before = this.n;
    this.n = happened.at(-1)?.n ?? -1;
    if (before < 0 || this.n < before) return [];
    return happened.filter((one) => one.n > before).flatMap((one) => one.events);
  }
}
