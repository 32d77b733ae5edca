/* What is being chosen: hand and tracks both show it. */

import { Tween } from "svelte/motion";
import { moves } from "../../lib/prefs.svelte";
import { Unsent } from "../unsent.svelte";
import { SWINGS, sprung } from "./lever";
import type { Acting, Action, Choice, Game, Sight } from "./types";
import { placeAt, seen } from "./view";

/** What a Modifier is meant for: a thing that the card names, words of one's own, or the whole card. */
export type Meant = number | string | null;
/** A card that a Modifier can hang on. */
export type Spot = Choice & { do: Extract<Action, { do: "on" }> };

export class Picking extends Unsent<Game> {
  /** What the Modifier at hand points at. */
  meant = $state.raw<Meant>(null);
  /** The team's cards are covered: a neighbour sees nothing. */
  covered = $state(false);
  private readonly lever = new Tween(0, { duration: SWINGS, easing: sprung });

  override pick(sight: Sight, choice: Choice, depth = 0): void {
    super.pick(sight, choice, depth);
    this.meant = null;
  }

  override cancel(depth = 0): void {
    super.cancel(depth);
    this.meant = null;
  }

  /** The cards that a begun Modifier can hang on, or none. */
  targets(sight: Sight): Spot[] {
    const [first] = this.steps(sight);
    return first?.do.do === "modifier" ? (first.then ?? []).filter(isSpot) : [];
  }

  /** The card that it would hang on. */
  target(sight: Sight): Spot | null {
    return this.targets(sight).find((one) => one === this.steps(sight)[1]) ?? null;
  }

  /** What the hint would take, of what is being chosen or can still be chosen otherwise. */
  override advised(sight: Sight, hint: readonly Action[] | null): Choice | null {
    return super.advised(sight, hint, this.targets(sight).length ? 1 : 0);
  }

  /** Do what is chosen. A Modifier is laid, and then its player says what it points at (TT-2.5). */
  async go(sight: Sight, acting: Acting): Promise<void> {
    const { meant } = this;
    const on = this.target(sight)?.do;
    const modifier = on ? (placeAt(seen(sight), on)?.modifiers.length ?? 0) : 0;
    if (!this.whole(sight) || !(await this.send(acting, this.does(sight)))) return;
    if (!on || meant === null) return;
    const { track, place } = on;
    await this.attempt(() => acting.say({ point: { track, place, modifier, thing: meant } }));
  }

  // --- the lever ------------------------------------------------------------------------------------

  /** Where the Conductor's hand has the lever, from -1 (North) to 1 (South). Nobody else sees it. */
  get pull(): number {
    return this.lever.current;
  }

  set pull(there: number) {
    void this.lever.set(there, { duration: 0 });
  }

  /** It swings there by itself. */
  swing(there: number): void {
    void this.lever.set(there, moves() ? {} : { duration: 0 });
  }
}

function isSpot(choice: Choice): choice is Spot {
  return choice.do.do === "on";
}
