/* The notes while somebody writes in them: what is kept of them, which another device may change, and
   what is written here and not yet kept. */

import type { Why } from "../../../generated/protocol";
import { whyOf } from "../../../lib/refused";
import type { Acting } from "../types";
import { closed, merged, open, type Notebook } from "./notes";

/** Who writes on is not interrupted for every letter. */
const PAUSE = 600;

export class Notepad {
  /** Why what is written could not be kept. */
  why = $state.raw<Why | null>(null);
  private kept = $state.raw("");
  /** What is written here and not yet kept, and what it was before. */
  private written = $state.raw<Notebook | null>(null);
  private before = open("");
  /** What was sent from here, and comes back as news. */
  private sent: string[] = [];
  private acting: Acting | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  get notebook(): Notebook {
    return this.written ?? open(this.kept);
  }

  /** What is kept now. If it was written elsewhere, and something else here, both stay. */
  hear(kept: string): void {
    this.kept = kept;
    if (this.written === null) return;
    const news = open(kept);
    if (!this.sent.includes(kept)) {
      this.written = merged(this.before, this.written, news);
      this.later();
    }
    this.before = news;
  }

  write(next: Notebook, acting: Acting): void {
    if (this.written === null) this.before = open(this.kept);
    this.written = next;
    this.acting = acting;
    this.later();
  }

  /** At once: in a moment somebody else may look, or another match be on. */
  async keep(): Promise<void> {
    clearTimeout(this.timer);
    const { written, acting } = this;
    if (!written || !acting) return;
    const notes = closed(written);
    this.sent = [...this.sent, notes];
    this.why = null;
    try {
      await acting.keep({ notes });
      if (this.written === written) this.written = null;
    } catch (failed) {
      this.why = whyOf(failed); // it stays written, and is kept with the next letter
    } finally {
      this.sent = this.sent.filter((one) => one !== notes);
    }
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.keep(), PAUSE);
  }
}
