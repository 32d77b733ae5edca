/* What is being chosen: steps of a choice that are not sent yet. Hand and map both show it. */

import type { Choice } from "../../generated/protocol";
import type { Action } from "../../lib/seat.svelte";
import type { Acting, Sight } from "../../lib/sight";
import type { TrainPreview } from "./view";

const NOTHING: Choice[] = [];
/** Of these the table can say what they would do. */
const PREVIEWED = new Set(["play", "vote", "intervene"]);

class Picking {
  private question = $state(0);
  private taken = $state.raw<Choice[]>(NOTHING);
  /** What choices would do, by their steps, as far as the table has said so. */
  private ahead = $state.raw<Record<string, TrainPreview>>({});
  private aheadOf = "";
  /** A route that somebody points at. */
  pointed = $state("");
  /** The own interventions lie open, to play one. */
  intervening = $state(false);

  /** The choices begun, as long as the same is asked. */
  steps(sight: Sight): Choice[] {
    return sight.scene.question?.id === this.question ? this.taken : NOTHING;
  }

  /** What may come next. */
  next(sight: Sight): Choice[] {
    const steps = this.steps(sight);
    if (!steps.length) return sight.scene.question?.choices ?? NOTHING;
    return steps[steps.length - 1]!.then ?? NOTHING;
  }

  whole(sight: Sight): boolean {
    return this.steps(sight).length > 0 && this.next(sight).length === 0;
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
    const asked = `${sight.match} ${sight.scene.question?.id}`;
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

function keyOf(steps: Choice[]): string {
  return JSON.stringify(steps.map((step) => step.do));
}

export const picking = new Picking();
