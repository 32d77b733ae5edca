/* The titles that the pages know more of than the server tells: each is a folder here, and a line in TITLES.
   One that is not here is played on the plain board. */

import type { Component } from "svelte";
import type { Line } from "../generated/protocol";
import type { Acting, Game, Sight } from "../lib/sight";
import type { Sound } from "../lib/sound";
import type { IconName } from "../parts/icons";
import nightMail from "./night-mail";
import type { Sheet } from "./picture";
import stopTheTrain from "./stop-the-train";
import tachiteAlTram from "./tachite-al-tram";
import trialByTrolley from "./trial-by-trolley";

export interface BoardProps<G extends Game = Game> {
  sight: Sight<G>;
  /** How to act; null: only to be looked at. */
  acting: Acting<G> | null;
  /** What a hint proposes, step by step, as long as one is shown: [] lets the moment pass. */
  hint?: readonly G["action"][] | null;
}

export interface Drawer<G extends Game = Game> {
  id: string;
  /** In words: read again whenever the language changes. */
  readonly label: string;
  icon: IconName;
  content: Component<BoardProps<G>>;
  /** A small number on its tab, if there is something new. */
  count?: (sight: Sight<G>) => number;
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

/** Something that was done to somebody. */
export interface Hit {
  /** Whose doing it was; null: nobody's. */
  by: number | null;
  /** What the one it was done to is told. */
  line: Line;
  /** They are glad of it. */
  good?: boolean;
  /** The board itself shows it until it has been seen. */
  shown?: boolean;
}

/** What a title has for the last minute. */
export interface Last<G extends Game = Game> {
  /** The end, condition by condition, with its picture. */
  End: Component<BoardProps<G>>;
  /** The same on one sheet, to keep or to send. */
  paint?: (sheet: Sheet, sight: Sight<G>) => void | Promise<void>;
}

export interface Board<G extends Game = Game> {
  /** What is heard when this is told, if anything. */
  sound?: (events: readonly G["event"][]) => Sound | null;
  /** What of this was done to somebody, oldest first. */
  hits?: (events: readonly G["event"][], seat: number) => Hit[];
  /** In the title's own words, for whom it is asked and for who waits; without it, in plain ones. */
  headline?: (sight: Sight<G>, must: boolean) => Headline | null;
  /** A figure that everybody should have in view: 14 turns left. */
  figure?: (sight: Sight<G>) => { number: number; label: string } | null;
  /** A tall map has a column from top to bottom, where there is room for one, and the hand beside it. A wide
      one shows everybody itself: the row of players makes room for it, and on a desk they are over the
      drawers. */
  layout?: "tall" | "wide";
  /** How high the map is at least on a low screen: pixels. */
  least?: (sight: Sight<G>) => number;
  /** Whether somebody is out of the game. */
  gone?: (sight: Sight<G>, seat: number) => boolean;
  /** What a place shows stands beside the player's mark rather than below it. */
  beside?: boolean;
  /** What stands for a player, in place of the plain face. */
  Mark?: Component<{ seat: number; name: string; size?: number }>;
  /** What is so: the map. It takes the room that the rest leaves. */
  Table: Component<BoardProps<G>>;
  /** What I can do: hand, buttons. */
  Hand: Component<BoardProps<G>>;
  /** What a player's place shows besides the name. */
  Place: Component<BoardProps<G> & { seat: number }>;
  /** Nobody needs it before: it is loaded then. */
  end: () => Promise<Last<G>>;
  drawers: Drawer<G>[];
  /** The hands that a viewer sees, card by card, in words. */
  held?: (sight: Sight<G>) => Held[];
}

/** How a title looks outside its table. Its colours are those of the family under data-title. */
export interface Art {
  palette: string;
  picture: string;
  /** What of the picture is left to see when the poster is narrow, from left to right. */
  focus: string;
}

/** What hangs on the wall for a title. Its words are in poster/<language>.json. */
export interface Poster extends Art {
  /** How many play, where the server does not know the title yet. */
  seats: readonly [number, number];
  /** How many are a good table when somebody just wants to play. */
  company: number;
}

export interface Title {
  id: string;
  /** How the numbers of its rules begin: ST-5.5. */
  rules: string;
  poster?: Poster;
  /** Loaded when somebody sits down. */
  board?: () => Promise<{ default: Board }>;
}

export const TITLES: readonly Title[] = [stopTheTrain, tachiteAlTram, trialByTrolley, nightMail];

export function board(title: string): Promise<Board> {
  const load = TITLES.find((one) => one.id === title)?.board ?? (() => import("./generic/board"));
  return load().then((found) => found.default);
}

/** A board by the types of its title. It is only ever shown matches of that title, which is more than the
    shell around it can know. */
export function boardOf<G extends Game>(board: Board<G>): Board {
  return board as unknown as Board;
}

/** A drawer by what it is called, which is said anew in every language. */
export function drawer<G extends Game>(
  id: string,
  called: () => string,
  icon: IconName,
  content: Drawer<G>["content"],
  count?: Drawer<G>["count"],
): Drawer<G> {
  return {
    id,
    get label() {
      return called();
    },
    icon,
    content,
    ...(count && { count }),
  };
}
