/* What somebody sees of a match, live or in a replay: all that boards are drawn from. */

import type { Chat, Private, Reading, Replay, Scene } from "../generated/protocol";
import type { Readers } from "./letter.svelte";
import type { Action, Happened } from "./seat.svelte";

export interface Sight<View = unknown> {
  readonly title: string;
  /** The room; "" in a replay. */
  readonly code: string;
  /** The match: where a board's data and words can be asked for. */
  readonly match: string;
  readonly names: readonly string[];
  /** Whose eyes these are; null watches. */
  readonly number: number | null;
  readonly scene: Scene & { view: View };
  /** Everything that was told, oldest first. */
  readonly happened: readonly Happened[];
  readonly own: Private | null;
  /** The seats whose people are here, and what is written at the table: where that is known. */
  readonly present?: readonly number[];
  readonly chat?: readonly Chat[];
  /** The table read aloud, where somebody can be asked. */
  read?(): Promise<Reading>;
  /** The whole match as all could see it, step by step, where somebody can be asked. */
  again?(): Promise<Replay>;
}

/** What can be done at a live table; a replay has none. */
export interface Acting {
  readonly must: boolean;
  readonly sending: number;
  /** What is done now cannot be sent yet; in a lesson nothing is. */
  readonly unsent?: boolean;
  do(steps: Action[]): Promise<unknown>;
  say(said: unknown): Promise<unknown>;
  preview<T>(steps: Action[]): Promise<T>;
  /** Write to the table, or to these alone, as long as they are one's team. */
  write?(text: string, team: Readers): Promise<unknown>;
  /** Take back what may be taken back freely; a lesson has no such thing. */
  undo?(): Promise<unknown>;
  /** While that is unanswered. */
  readonly undoing?: Promise<unknown> | null;
  keep(changes: { notes?: string; passes?: string[] }): Promise<unknown>;
}
