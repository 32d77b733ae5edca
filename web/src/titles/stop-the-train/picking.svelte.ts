/* What is being chosen: places and map show it too, and a tap on any of them goes on with it. */

import { again, Unsent } from "../unsent.svelte";
import type { Acting, Action, Choice, Game, Sight } from "./types";
import type { TrainPreview } from "./view";

/** Of these the table can say what they would do. */
const PREVIEWED: readonly (string | undefined)[] = ["play", "vote", "intervene"];
/** A double tap chooses; it takes a second thought to do it. */
const THOUGHT = 350;
/** So long a word can be read, even when the game goes on at once. */
const READ = 4000;

export class Picking extends Unsent<Game> {
  private tapped = 0;
  /** A route that somebody points at. */
  pointed = $state("");
  /** The own interventions lie open, to play one. */
  intervening = $state(false);
  /** They were closed because the game went on, or what was begun with them was. */
  late = $state(false);
  private lateSince = 0;
  /** What a hint would do, step by step. */
  hint = $state.raw<readonly Action[] | null>(null);

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
    const depth = this.depth(sight);
    const all = this.after(sight, depth);
    if (depth) return all;
    return all.filter((one) => (one.do.do === "intervene") === this.intervening);
  }

  /** The choice that names this, if it can be named now: a player, a route. */
  named(sight: Sight, acting: Acting | null, is: (action: Action) => boolean): Choice | null {
    return (acting && this.level(sight).find((one) => is(one.do))) ?? null;
  }

  override advised(sight: Sight, hint: readonly Action[] | null): Choice | null {
    return super.advised(sight, hint, this.depth(sight));
  }

  /** A tap chooses; on what is chosen already, a second thought later, it does it. */
  tap(sight: Sight, acting: Acting | null, choice: Choice): void {
    this.late = false;
    if (choice !== this.picked(sight)) {
      this.tapped = performance.now();
      this.pick(sight, choice, this.depth(sight));
      this.foresee(sight, acting, this.does(sight));
    } else if (performance.now() - this.tapped > THOUGHT) {
      void this.go(sight, acting);
    }
  }

  /** Open or close the own interventions. */
  intervene(open: boolean): void {
    this.cancel();
    this.late = false;
    this.intervening = open;
  }

  /** The game went on. An intervention that still has its moment stays chosen, as far as it is the same;
      if none has one any more, the cards are covered, and it is said why. */
  follow(sight: Sight): void {
    const { question } = sight.scene;
    if (this.late && performance.now() - this.lateSince > READ) this.late = false;
    if (!this.intervening || this.sending || question?.id === this.question) return;
    const kept = again(
      question?.choices ?? [],
      this.taken.map((step) => step.do),
    );
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

  override async send(acting: Acting | null, does: Action[]): Promise<boolean> {
    this.late = false;
    const sent = await super.send(acting, does);
    if (sent) this.intervening = false;
    return sent;
  }

  /** What the begun choice would do. */
  preview(sight: Sight): TrainPreview | null {
    return this.foreseen(sight, this.does(sight));
  }

  override foresee(sight: Sight, acting: Acting | null, actions: Action[]): void {
    if (PREVIEWED.includes(actions[0]?.do)) super.foresee(sight, acting, actions);
  }
}
