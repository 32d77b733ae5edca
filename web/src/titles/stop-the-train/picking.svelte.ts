/* What is being chosen: steps of a choice that are not sent yet. Hand, places and map all show it, and a
   tap on any of them goes on with it. */

import type { Choice, Why } from "../../generated/protocol";
import { proposed } from "../../lib/hint";
import { same } from "../../lib/same";
import { whyOf, type Action } from "../../lib/seat.svelte";
import type { Acting, Sight } from "../../lib/sight";
import type { TrainPreview } from "./view";

const NOTHING: Choice[] = [];
/** Of these the table can say what they would do. */
const PREVIEWED = new Set(["play", "vote", "intervene"]);
/** A double tap chooses; it takes a second thought to do it. */
const THOUGHT = 350;
/** So long a word can be read, even when the game goes on at once. */
const READ = 4000;

export class Picking {
  private question = $state(0);
  private taken = $state.raw<Choice[]>(NOTHING);
  /** What choices would do, by their steps, as far as the table has said so. */
  private ahead = $state.raw<Record<string, TrainPreview>>({});
  private aheadOf = 0;
  private tapped = 0;
  /** A route that somebody points at. */
  pointed = $state("");
  /** The own interventions lie open, to play one. */
  intervening = $state(false);
  /** They were closed because the game went on, or what was begun with them was. */
  late = $state(false);
  private lateSince = 0;
  sending = $state(false);
  /** Why it was not done. */
  problem = $state.raw<Why | null>(null);
  /** What a hint would do, step by step. */
  hint = $state.raw<readonly Action[] | null>(null);

  /** The choices begun, as long as the same is asked. */
  steps(sight: Sight): Choice[] {
    return sight.scene.question?.id === this.question ? this.taken : NOTHING;
  }

  whole(sight: Sight): boolean {
    const steps = this.steps(sight);
    return steps.length > 0 && !steps[steps.length - 1]!.then?.length;
  }

  /** How many steps stand; the next one is being chosen, or can still be chosen otherwise. */
  depth(sight: Sight): number {
    return this.steps(sight).length - (this.whole(sight) ? 1 : 0);
  }

  begun(sight: Sight): Choice[] {
    return this.steps(sight).slice(0, this.depth(sight));
  }

  /** The step that is chosen, if it makes the choice whole. */
  picked(sight: Sight): Choice | null {
    return this.whole(sight) ? this.steps(sight)[this.depth(sight)]! : null;
  }

  /** What may come next, or instead of what is chosen. */
  level(sight: Sight): Choice[] {
    const begun = this.begun(sight);
    if (begun.length) return begun[begun.length - 1]!.then ?? NOTHING;
    const all = sight.scene.question?.choices ?? NOTHING;
    return all.filter((one) => (one.do.do === "intervene") === this.intervening);
  }

  /** Which of these the hint would take. */
  advised(sight: Sight, choices: readonly Choice[]): Choice | null {
    const begun = this.begun(sight).map((one) => one.do);
    return proposed(this.hint, begun, choices);
  }

  /** A tap chooses; on what is chosen already, a second thought later, it does it. */
  tap(sight: Sight, acting: Acting | null, choice: Choice): void {
    this.problem = null;
    this.late = false;
    if (choice !== this.picked(sight)) {
      this.tapped = performance.now();
      this.pick(sight, acting, choice, this.depth(sight));
    } else if (performance.now() - this.tapped > THOUGHT) {
      void this.go(sight, acting);
    }
  }

  /** Begin anew with this choice, or go on with it from a depth. */
  pick(sight: Sight, acting: Acting | null, choice: Choice, depth = 0): void {
    const steps = [...this.steps(sight).slice(0, depth), choice];
    this.question = sight.scene.question?.id ?? 0;
    this.taken = steps;
    this.foresee(sight, acting, steps);
  }

  cancel(depth = 0): void {
    this.taken = this.taken.slice(0, depth);
  }

  /** Open or close the own interventions. */
  intervene(open: boolean): void {
    this.cancel();
    this.late = false;
    this.intervening = open;
  }

  /** Choices on the table itself: places, routes, the organiser. */
  target(sight: Sight, acting: Acting | null, part: "seat" | "route", id: unknown): Choice | null {
    return (acting && this.level(sight).find((one) => one.do[part] === id)) ?? null;
  }

  /** The game went on. An intervention that still has its moment stays chosen, as far as it is the same;
      if none has one any more, the cards are covered, and it is said why. */
  follow(sight: Sight): void {
    const { question } = sight.scene;
    if (this.late && performance.now() - this.lateSince > READ) this.late = false;
    if (!this.intervening || this.sending || question?.id === this.question) return;
    const kept = again(question?.choices ?? NOTHING, this.taken);
    const open = question?.choices.some((one) => one.do.do === "intervene") ?? false;
    if (!open || kept.length < this.taken.length) {
      this.intervene(open);
      this.late = true;
      this.lateSince = performance.now();
    } else {
      this.taken = kept;
    }
    this.question = question?.id ?? 0;
  }

  async go(sight: Sight, acting: Acting | null): Promise<void> {
    if (this.whole(sight)) await this.send(acting, this.does(sight));
  }

  async send(acting: Acting | null, does: Action[]): Promise<void> {
    if (!acting || this.sending) return;
    this.sending = true;
    this.problem = null;
    this.late = false;
    try {
      await acting.do(does);
      this.intervene(false);
    } catch (failed) {
      this.problem = whyOf(failed);
    } finally {
      this.sending = false;
    }
  }

  does(sight: Sight): Action[] {
    return this.steps(sight).map((step) => step.do);
  }

  /** What the begun choice would do. */
  preview(sight: Sight): TrainPreview | null {
    return this.foreseen(this.steps(sight));
  }

  foreseen(steps: Choice[]): TrainPreview | null {
    return (steps.length && this.ahead[keyOf(steps)]) || null;
  }

  /** Ask the table what these steps would do. */
  foresee(sight: Sight, acting: Acting | null, steps: Choice[]): void {
    const asked = sight.scene.question?.id ?? 0;
    if (asked !== this.aheadOf) {
      this.aheadOf = asked;
      this.ahead = {};
    }
    const key = keyOf(steps);
    if (!acting || key in this.ahead || !PREVIEWED.has(String(steps[0]?.do.do))) return;
    acting
      .preview<TrainPreview>(steps.map((step) => step.do))
      .then((found) => {
        if (asked === this.aheadOf) this.ahead = { ...this.ahead, [key]: found };
      })
      .catch(() => undefined); // what cannot be foreseen is not shown
  }
}

/** The same steps in another question, as far as they are there. */
function again(choices: readonly Choice[], steps: readonly Choice[]): Choice[] {
  const found = choices.find((one) => same(one.do, steps[0]?.do));
  return found ? [found, ...again(found.then ?? NOTHING, steps.slice(1))] : [];
}

function keyOf(steps: Choice[]): string {
  return JSON.stringify(steps.map((step) => step.do));
}
