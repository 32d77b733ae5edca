/* Something that is asked for once: while it is unanswered a second press does nothing. */

import type { Why } from "../generated/protocol";
import { whyOf } from "./refused";

export class Errand {
  going = $state(false);
  /** Why it was not done. */
  why = $state.raw<Why | null>(null);

  /** Whether it was done. */
  async run(work: () => Promise<unknown> | undefined): Promise<boolean> {
    if (this.going) return false;
    this.going = true;
    this.why = null;
    try {
      await work();
      return true;
    } catch (failed) {
      this.why = whyOf(failed);
      return false;
    } finally {
      this.going = false;
    }
  }
}
