/* What is being chosen: hand and board both show it. */

import type { Why } from "../../generated/protocol";
import { Refused } from "../../lib/refused";
import { Unsent } from "../unsent.svelte";
import type { Acting, Action, Choice, Game, Sight } from "./types";
import { ahead, type Ahead } from "./view";

export class Picking extends Unsent<Game> {
  /** Which tile of the hand is held up; -1 is none. */
  tile = $state(-1);
  /** The roll that somebody looks at before rolling; 0: all of them. */
  roll = $state(0);
  /** The square that was tapped and cannot be used, and why, as soon as the table says so. */
  refused = $state.raw<{ square: number; why: Why | null } | null>(null);

  private looked = 0;

  /** A new question is looked at afresh. */
  look(question: number): void {
    if (question === this.looked) return;
    this.looked = question;
    this.cancel();
    this.tile = -1;
    this.roll = 0;
  }

  override pick(sight: Sight, choice: Choice, depth = 0): void {
    super.pick(sight, choice, depth);
    this.refused = null;
  }

  override cancel(depth = 0): void {
    super.cancel(depth);
    this.refused = null;
  }

  override async send(acting: Acting | null, does: Action[]): Promise<boolean> {
    const sent = await super.send(acting, does);
    if (sent) this.tile = -1;
    return sent;
  }

  /** Take back the last move. */
  async undo(acting: Acting | null): Promise<void> {
    await this.attempt(async () => {
      await acting?.undo?.();
      this.cancel();
    });
  }

  /** What these steps would do, with squares as numbers. */
  ahead(sight: Sight, actions: readonly Action[]): Ahead | null {
    const found = this.foreseen(sight, actions);
    return found && ahead(found);
  }

  /** Ask why this square does not do. */
  async ask(acting: Acting | null, actions: Action[], square: number): Promise<void> {
    this.refused = { square, why: null };
    try {
      await acting?.preview(actions);
    } catch (failed) {
      if (this.refused?.square === square && failed instanceof Refused)
        this.refused = { square, why: failed.why };
    }
  }
}
