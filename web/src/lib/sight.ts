/* What somebody sees of a match, live or in a replay: all that boards are drawn from. */

import type * as Sent from "../generated/protocol";
import type { Chat, Line, Private, Reading, Replay, Told } from "../generated/protocol";
import type { Readers } from "./letter.svelte";
import type { Action } from "./seat.svelte";

/** What the matches of a title are made of; generated/<title>.ts has each title's own. */
export interface Game {
  view: unknown;
  preview: { lines?: Line[] };
  action: Action;
  event: Told;
}

export interface Choice<G extends Game = Game> extends Omit<Sent.Choice, "do" | "then"> {
  do: G["action"];
  then?: Choice<G>[];
}

export interface Scene<G extends Game = Game> extends Omit<Sent.Scene, "view" | "question"> {
  view: G["view"];
  question?: (Omit<Sent.Asked, "choices"> & { choices: Choice<G>[] }) | null;
}

export interface Happened<G extends Game = Game> {
  n: number;
  events: G["event"][];
}

export interface Sight<G extends Game = Game> {
  readonly title: string;
  /** The room; "" in a replay. */
  readonly code: string;
  /** The match: where a board's data and words can be asked for. */
  readonly match: string;
  readonly names: readonly string[];
  /** Whose eyes these are; null watches. */
  readonly number: number | null;
  readonly scene: Scene<G>;
  /** Everything that was told, oldest first. */
  readonly happened: readonly Happened<G>[];
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
export interface Acting<G extends Game = Game> {
  readonly must: boolean;
  readonly sending: number;
  /** What is done now cannot be sent yet; in a lesson nothing is. */
  readonly unsent?: boolean;
  do(steps: G["action"][]): Promise<unknown>;
  say(said: unknown): Promise<unknown>;
  preview(steps: G["action"][]): Promise<G["preview"]>;
  /** Write to the table, or to these alone, as long as they are one's team. */
  write?(text: string, team: Readers): Promise<unknown>;
  /** Take back what may be taken back freely; a lesson has no such thing. */
  undo?(): Promise<unknown>;
  /** While that is unanswered. */
  readonly undoing?: Promise<unknown> | null;
  keep(changes: { notes?: string; passes?: string[] }): Promise<unknown>;
  /** The window closes by itself: nobody needs to say that they pass. */
  readonly timed?: boolean;
  /** Who has asked for a moment more in it; and to ask for one, once. */
  readonly moments?: readonly number[];
  moment?(): Promise<unknown>;
  /** The table waits until we have seen what is shown; and to say that we have. */
  readonly resting?: boolean;
  seen?(): void;
}
