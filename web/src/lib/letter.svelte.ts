/* A line that somebody writes in a box. It is for those whom it was begun for, it is sent once, and what
   is not taken comes back into the box, before whatever was typed since. */

import type { Why } from "../generated/protocol";
import { whyOf } from "./refused";

/** More is not taken, unless a host allows it. */
export const LONGEST = 300;

/** The seats of a team; null: the whole table. */
export type Readers = readonly number[] | null;

export class Letter {
  text = $state("");
  why = $state.raw<Why | null>(null);
  /** For whom it was begun, if it was. */
  private to = $state.raw<Readers | undefined>();
  private sent = $state.raw<readonly string[]>([]);

  constructor(
    /** To whom it would go if it were begun now. */
    private readonly now: () => Readers,
    private readonly post: (text: string, to: Readers) => Promise<unknown>,
  ) {}

  /** What is on its way. */
  get going(): string {
    return this.sent.join(" ");
  }

  /** Whom it is for. */
  get readers(): Readers {
    return this.to === undefined ? this.now() : this.to;
  }

  /** The box has another text now. */
  type(text: string): void {
    this.to = text ? this.readers : undefined;
    this.text = text;
  }

  /** Whoever writes it means somebody else by now. */
  readdress(): void {
    if (this.text) this.to = this.now();
  }

  async send(): Promise<void> {
    const text = this.text.trim();
    if (!text) return;
    const to = this.readers;
    this.why = null;
    this.type("");
    this.sent = [...this.sent, text];
    try {
      await this.post(text, to);
    } catch (failed) {
      this.why = whyOf(failed);
      // Whoever sends it again has read why, and sends it to those who are there then.
      this.text = [text, this.text].filter(Boolean).join(" ");
      this.to = this.now();
    } finally {
      const at = this.sent.indexOf(text);
      this.sent = this.sent.filter((_, number) => number !== at);
    }
  }
}
