/* The trolley's run after a verdict: it takes a moment, and then lies behind everybody. */

import { untrack } from "svelte";
import { Tween } from "svelte/motion";
import { moves } from "../../lib/prefs.svelte";
import type { Acting, Sight } from "./types";
import { seen } from "./view";

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

/** The verdict that is looked at, as the table goes on; for one who perhaps chooses something already. */
export function watching(
  look: () => { sight: Sight; acting: Acting | null; choosing: boolean },
): Run & { goOn(): void } {
  const run = new Run();
  const goOn = () => {
    look().acting?.seen?.();
    run.dismiss();
  };
  const view = $derived(seen(look().sight));
  const live = $derived(look().sight.code !== "");
  const over = $derived(view.phase === "over");
  const judged = $derived(view.past.length);
  const news = $derived(
    look()
      .sight.happened.at(-1)
      ?.events.some((event) => event.key === "event.verdict") ?? false,
  );
  let known = untrack(() => judged);
  $effect(() => {
    const last = judged - 1;
    const fresh = live ? judged > known : news;
    untrack(() => {
      const own = view.past[last]?.conductor === look().sight.number;
      if (over) run.show(last, true);
      else if (fresh) run.show(last, !live || own);
      else if (!live || judged < known) run.dismiss();
    });
    known = judged;
  });
  $effect(() => () => run.stop());
  // The table waits for those who look; when all have seen it, or long enough, it goes on.
  const resting = $derived(look().acting?.resting ?? false);
  let rested = false;
  $effect(() => {
    if (resting) run.hold();
    else if (rested && !over) untrack(() => run.dismiss());
    rested = resting;
  });
  // Whoever begins to choose has seen enough; and the next pleas are about the next tracks.
  const onwards = $derived(
    look().choosing || (!resting && (view.phase === "plea" || view.phase === "verdict")),
  );
  $effect(() => {
    if (onwards && live && !over) untrack(goOn);
  });
  return Object.assign(run, { goOn });
}

/** How far the trolley must have come to have hit this card of three. */
export function hits(at: number, place: number, cards: number): boolean {
  return at >= 0.3 + (0.55 * (place + 0.5)) / Math.max(1, cards);
}

/** It starts slowly, as heavy things do. */
export function gone(at: number): number {
  return at * at * (2 - at);
}
