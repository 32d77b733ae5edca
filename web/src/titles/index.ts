/* The boards. A new title is a folder here, and a line in BOARDS. */

import type { Component } from "svelte";
import type { Told } from "../generated/protocol";
import type { Action } from "../lib/seat.svelte";
import type { Acting, Sight } from "../lib/sight";
import type { Sound } from "../lib/sound";
import type { IconName } from "../parts/icons";

export interface BoardProps {
  sight: Sight;
  /** How to act; null: only to be looked at. */
  acting: Acting | null;
  /** What a hint proposes, step by step, as long as one is shown: [] lets the moment pass. */
  hint?: readonly Action[] | null;
}

export interface Drawer {
  id: string;
  /** In words: read again whenever the language changes. */
  readonly label: string;
  icon: IconName;
  content: Component<BoardProps>;
  /** A small number on its tab, if there is something new. */
  count?: (sight: Sight) => number;
}

/** The top line: what is asked, and above it in small what it is about. */
export interface Headline {
  line: string;
  above?: string;
}

/** What somebody holds, for a replay to lay open. */
export interface Held {
  seat: number;
  /** Who they secretly are. */
  role?: string;
  piles: { label: string; cards: string[] }[];
}

export interface Board {
  /** What is heard when this is told, if anything. */
  sound?: (events: readonly Told[]) => Sound | null;
  /** In the title's own words, for whom it is asked and for who waits; without it, in plain ones. */
  headline?: (sight: Sight, must: boolean) => Headline | null;
  /** A figure that everybody should have in view: 14 turns left. */
  figure?: (sight: Sight) => { number: number; label: string } | null;
  /** A tall map has a column from top to bottom, where there is room for one, and the hand beside it. */
  layout?: "tall";
  /** What stands for a player, in place of the plain face. */
  Mark?: Component<{ seat: number; name: string; size?: number }>;
  /** What is so: the map. It takes the room that the rest leaves. */
  Table: Component<BoardProps>;
  /** What I can do: hand, buttons. */
  Hand: Component<BoardProps>;
  /** What a player's place shows besides the name. */
  Place: Component<BoardProps & { seat: number }>;
  /** The end, condition by condition, with its picture. */
  End: Component<BoardProps>;
  drawers: Drawer[];
  /** The hands that a viewer sees, card by card, in words. */
  held?: (sight: Sight) => Held[];
}

const BOARDS: Record<string, () => Promise<{ default: Board }>> = {
  "stop-the-train": () => import("./stop-the-train/board"),
  "tachite-al-tram": () => import("./tachite-al-tram/board"),
  "trial-by-trolley": () => import("./trial-by-trolley/board"),
};

export function board(title: string): Promise<Board> {
  const load = BOARDS[title] ?? (() => import("./generic/board"));
  return load().then((found) => found.default);
}
