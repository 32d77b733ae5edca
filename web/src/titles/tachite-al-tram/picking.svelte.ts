/* What is being chosen: steps of a choice that are not sent yet. Hand and board both show it. */

import type { Choice, Why } from "../../generated/protocol";
import { same } from "../../lib/same";
import { Refused, type Action } from "../../lib/seat.svelte";
import type { Acting, Sight } from "../../lib/sight";
import type { TramPreview } from "../../generated/tachite-al-tram";
import { ahead, type Ahead } from "./view";

const NOTHING: Choice[] = [];

export class Picking {
  private question = $state(0);
  private taken = $state.raw<Choice[]>(NOTHING);
  /** What steps would do, as far as the table has said so. */
  private ahead = $state.raw<Record<string, Ahead>>({});
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  private readonly asked = new Set<string>();
  private aheadOf = 0;
  /** Why something does not go. */
  problem = $state.raw<Why | null>(null);
  /** The roll that somebody looks at before rolling; 0: all of them. */
  roll = $state(0);
  /** The square that was tapped and cannot be used. */
  refused = $state(-1);

  /** The choices begun, as long as the same is asked. */
  steps(sight: Sight): Choice[] {
    return sight.scene.question?.id === this.question ? this.taken : NOTHING;
  }

  does(sight: Sight): Action[] {
    return this.steps(sight).map((step) => step.do);
  }

  /** What may come after these many steps. */
  after(sight: Sight, depth: number): Choice[] {
    if (!depth) return sight.scene.question?.choices ?? NOTHING;
    return this.steps(sight)[depth - 1]?.then ?? NOTHING;
  }

  next(sight: Sight): Choice[] {
    return this.after(sight, this.steps(sight).length);
  }

  whole(sight: Sight): boolean {
    return this.steps(sight).length > 0 && this.next(sight).length === 0;
  }

  /** Begin with this choice, or go on with it from a depth. */
  pick(sight: Sight, choice: Choice, depth = 0): void {
    const steps = [...this.steps(sight).slice(0, depth), choice];
    this.question = sight.scene.question?.id ?? 0;
    this.taken = steps;
    this.problem = null;
    this.refused = -1;
  }

  /** All these steps, if they may be taken. */
  take(sight: Sight, actions: readonly Action[]): void {
    const steps: Choice[] = [];
    let choices = sight.scene.question?.choices ?? NOTHING;
    for (const action of actions) {
      const found = choices.find((choice) => same(choice.do, action));
      if (!found) return;
      steps.push(found);
      choices = found.then ?? NOTHING;
    }
    this.question = sight.scene.question?.id ?? 0;
    this.taken = steps;
    this.problem = null;
    this.refused = -1;
  }

  cancel(depth = 0): void {
    this.taken = this.taken.slice(0, depth);
    this.problem = null;
    this.refused = -1;
  }

  /** What these steps would do. */
  foreseen(sight: Sight, actions: readonly Action[]): Ahead | null {
    const known = this.ahead; // read first, so that whoever asks too early is told later
    const asked = sight.scene.question?.id ?? 0;
    return asked === this.aheadOf ? (known[JSON.stringify(actions)] ?? null) : null;
  }

  /** Ask the table what these steps would do. */
  foresee(sight: Sight, acting: Acting | null, actions: Action[]): void {
    const about = sight.scene.question?.id ?? 0;
    if (about !== this.aheadOf) {
      this.aheadOf = about;
      this.ahead = {};
      this.asked.clear();
    }
    const key = JSON.stringify(actions);
    if (!acting || this.asked.has(key)) return;
    this.asked.add(key);
    acting
      .preview<TramPreview>(actions)
      .then((found) => {
        if (about === this.aheadOf) this.ahead = { ...this.ahead, [key]: ahead(found) };
      })
      .catch(() => undefined); // what cannot be foreseen is not shown
  }

  /** Ask why this square does not do. */
  async ask(acting: Acting | null, actions: Action[], square: number): Promise<void> {
    this.refused = square;
    this.problem = null;
    try {
      await acting?.preview(actions);
    } catch (failed) {
      if (this.refused === square && failed instanceof Refused) this.problem = failed.why;
    }
  }
}
