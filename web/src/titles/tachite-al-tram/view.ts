/* What the board of this title is drawn from: the table's view, with squares as numbers. */

import type * as Sent from "../../generated/tachite-al-tram";
import type { Sight } from "./types";
import { squareCalled } from "./squares";

export interface LaidTile {
  square: number;
  shape: string;
  /** Quarters clockwise. */
  turn: number;
  /** In which turn of the game. */
  laid: number;
}

export type Tram = Omit<Sent.Tram, "square"> & { square: number };
export type StopView = Omit<Sent.Stop, "square"> & { square: number };

export interface TramView {
  sent: Sent.TramView;
  phase: string;
  current: number;
  turn: number;
  round: number;
  die: number;
  steps: number;
  tiles: LaidTile[];
  last_laid: { seat: number; square: number } | null;
  face_down: number;
  stops: StopView[];
  trams: Tram[];
  misfortune: Sent.TramView["misfortune"];
  funicular_closed: boolean;
  /** What the table plays with. */
  goal: number;
  own_tiles: readonly string[];
  board: string;
}

const known = new WeakMap<Sent.TramView, TramView>();

export function seen(sight: Sight): TramView {
  const sent = sight.scene.view;
  let view = known.get(sent);
  if (!view) known.set(sent, (view = read(sent)));
  return view;
}

export function laidTile({ square, tile, turn, laid }: Sent.Tile): LaidTile {
  return { square: squareCalled(square), shape: tile, turn, laid };
}

function read(sent: Sent.TramView): TramView {
  return {
    sent,
    phase: sent.phase,
    current: sent.current,
    turn: sent.turn,
    round: sent.round,
    die: sent.die,
    steps: sent.steps,
    tiles: sent.tiles.map(laidTile),
    last_laid: sent.last_laid && {
      seat: sent.last_laid.seat,
      square: squareCalled(sent.last_laid.square),
    },
    face_down: sent.face_down,
    stops: sent.stops.map((stop) => ({ ...stop, square: squareCalled(stop.square) })),
    trams: sent.trams.map((tram) => ({ ...tram, square: squareCalled(tram.square) })),
    misfortune: sent.misfortune,
    funicular_closed: sent.funicular_closed !== null && sent.funicular_closed !== undefined,
    goal: sent.table.points_to_win,
    own_tiles: sent.table.own_tiles,
    board: sent.table.board,
  };
}

export interface End {
  square: number;
  path: number[];
  steps: Sent.End["steps"];
  damage: number;
  hits: number[];
  early: boolean;
}

/** What a choice would do. */
export interface Ahead {
  /** How often the tile can be turned and still fits, and how it would lie. */
  fits: number;
  turn: number | null;
  connects: string[];
  reach: { roll: number; ends: End[] }[];
}

export function ahead(sent: Sent.TramPreview): Ahead {
  return {
    fits: sent.fits ?? 0,
    turn: sent.turn ?? null,
    connects: sent.connects ?? [],
    reach: (sent.reach ?? []).map(({ roll, ends }) => ({
      roll,
      ends: ends.map((end) => ({
        ...end,
        square: squareCalled(end.square),
        path: end.path.map(squareCalled),
      })),
    })),
  };
}
