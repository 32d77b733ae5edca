/* Unsent choices: the steps that somebody has begun at a seat, what the table says that they would do, and
   what became of them when they were sent. Hand and map of a board share one (lib/begun.ts), and a title
   adds what only it has. */

import type { Why } from "../generated/protocol";
import { Errand } from "../lib/errand.svelte";
import { proposed } from "../lib/hint";
import { same } from "../lib/same";
import type { Acting, Choice, Game, Sight } from "../lib/sight";

export class Unsent<G extends Game = Game> {
  protected question = $state(0);
  protected taken = $state.raw<Choice<G>[]>([]);
  /** What steps would do, as far as the table has said so for the question `aheadOf`. */
  private previews = $state.raw<Record<string, G["preview"]>>({});
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  private readonly asked = new Set<string>();
  private aheadOf = 0;
  private readonly errand = new Errand();

  // --- choosing ---------------------------------------------------------------------------------

  /** The steps begun, as long as the same is asked. */
  steps(sight: Sight<G>): Choice<G>[] {
    return idOf(sight) === this.question ? this.taken : [];
  }

  does(sight: Sight<G>): G["action"][] {
    return this.steps(sight).map((step) => step.do);
  }

  /** What may come after so many steps. */
  after(sight: Sight<G>, depth: number): Choice<G>[] {
    const choices = depth ? this.steps(sight)[depth - 1]?.then : sight.scene.question?.choices;
    return choices ?? [];
  }

  next(sight: Sight<G>): Choice<G>[] {
    return this.after(sight, this.steps(sight).length);
  }

  whole(sight: Sight<G>): boolean {
    return this.steps(sight).length > 0 && this.next(sight).length === 0;
  }

  /** Begin with this choice, or go on with it from a depth. */
  pick(sight: Sight<G>, choice: Choice<G>, depth = 0): void {
    this.begin(sight, [...this.steps(sight).slice(0, depth), choice]);
  }

  /** All these steps, if they may be taken. */
  take(sight: Sight<G>, actions: readonly unknown[]): void {
    const steps = again(sight.scene.question?.choices ?? [], actions);
    if (steps.length === actions.length) this.begin(sight, steps);
  }

  private begin(sight: Sight<G>, steps: Choice<G>[]): void {
    this.question = idOf(sight);
    this.taken = steps;
    this.errand.why = null;
  }

  cancel(depth = 0): void {
    this.taken = this.taken.slice(0, depth);
    this.errand.why = null;
  }

  /** What the hint would take after so many steps, for whoever has begun as it would. */
  advised(
    sight: Sight<G>,
    hint: readonly G["action"][] | null,
    depth = this.steps(sight).length,
  ): Choice<G> | null {
    return proposed(hint, this.does(sight).slice(0, depth), this.after(sight, depth));
  }

  // --- what it would do ---------------------------------------------------------------------------

  foreseen(sight: Sight<G>, actions: readonly G["action"][]): G["preview"] | null {
    const known = this.previews; // read first, so that whoever asks too early is told later
    return idOf(sight) === this.aheadOf ? (known[JSON.stringify(actions)] ?? null) : null;
  }

  /** Ask the table what these steps would do; each is asked once. */
  foresee(sight: Sight<G>, acting: Acting<G> | null, actions: G["action"][]): void {
    const about = idOf(sight);
    if (about !== this.aheadOf) {
      this.aheadOf = about;
      this.previews = {};
      this.asked.clear();
    }
    const key = JSON.stringify(actions);
    if (!acting || this.asked.has(key)) return;
    this.asked.add(key);
    acting
      .preview(actions)
      .then((found) => {
        if (about === this.aheadOf) this.previews = { ...this.previews, [key]: found };
      })
      .catch(() => undefined); // what cannot be foreseen is not shown
  }

  // --- sending ------------------------------------------------------------------------------------

  get sending(): boolean {
    return this.errand.going;
  }

  /** Why it was not done. */
  get problem(): Why | null {
    return this.errand.why;
  }

  /** Send these steps; whether they were taken. What was begun is then done, and nothing is begun. */
  async send(acting: Acting<G> | null, does: G["action"][]): Promise<boolean> {
    if (!acting || !does.length) return false;
    return this.attempt(async () => {
      await acting.do(does);
      this.cancel();
    });
  }

  /** Try something that can be refused; not while something else is being sent. */
  protected attempt(work: () => Promise<unknown>): Promise<boolean> {
    return this.errand.run(work);
  }
}

/** Which question this is; 0 is none. */
function idOf<G extends Game>(sight: Sight<G>): number {
  return sight.scene.question?.id ?? 0;
}

/** These steps among what is asked now, as far as they are there. */
export function again<G extends Game>(
  choices: readonly Choice<G>[],
  actions: readonly unknown[],
): Choice<G>[] {
  const found = choices.find((one) => same(one.do, actions[0]));
  return found ? [found, ...again(found.then ?? [], actions.slice(1))] : [];
}
