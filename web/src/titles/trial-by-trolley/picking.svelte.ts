/* What is being chosen and not sent yet: hand and tracks both show it. */

import type { Choice } from "../../generated/protocol";
import { proposed } from "../../lib/hint";
import type { Action } from "../../lib/seat.svelte";
import type { Sight } from "../../lib/sight";

const NOTHING: Choice[] = [];

/** What a Modifier is meant for: a thing that the card names, words of one's own, or the whole card. */
export type Meant = number | string | null;

export class Picking {
  private question = $state(0);
  private taken = $state.raw<Choice[]>(NOTHING);
  /** What the Modifier at hand points at. */
  meant = $state.raw<Meant>(null);
  /** The team's cards are covered: a neighbour sees nothing. */
  covered = $state(false);
  /** Where the Conductor's hand has the lever, from -1 (North) to 1 (South). Nobody else sees it. */
  pull = $state(0);

  /** The steps begun, as long as the same is asked. */
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

  pick(sight: Sight, choice: Choice, depth: number): void {
    const steps = [...this.steps(sight).slice(0, depth), choice];
    this.question = sight.scene.question?.id ?? 0;
    this.taken = steps;
    this.meant = null;
  }

  cancel(depth = 0): void {
    this.taken = this.taken.slice(0, depth);
    this.meant = null;
  }

  /** The cards that a begun Modifier can hang on, or none. */
  targets(sight: Sight): Choice[] {
    const [first] = this.steps(sight);
    return first?.do.do === "modifier" ? (first.then ?? NOTHING) : NOTHING;
  }

  /** The card that it would hang on. */
  target(sight: Sight): Choice | null {
    return this.targets(sight).length ? (this.steps(sight)[1] ?? null) : null;
  }

  /** What the hint would take, of what is being chosen or can still be chosen otherwise. */
  advised(sight: Sight, hint: readonly Action[] | null): Choice | null {
    const targets = this.targets(sight);
    const begun = targets.length ? [this.steps(sight)[0]!.do] : [];
    return proposed(hint, begun, targets.length ? targets : (sight.scene.question?.choices ?? []));
  }
}
