/* The whole match in one picture: which tiles lay when and by whom, and what each trip carried. */

import type { Replay } from "../../../generated/protocol";
import type * as Sent from "../../../generated/tachite-al-tram";
import { patched } from "../../../lib/delta";
import type { Happened } from "../types";
import { squareCalled } from "../squares";
import { laidTile, type LaidTile, type TramView } from "../view";

export interface Grown extends LaidTile {
  /** Who laid it; -1 if nobody told. */
  seat: number;
}

export interface Trips {
  /** After each trip: the turn, what it carried, and all that were carried until then. */
  steps: { turn: number; points: number; sum: number }[];
}

export interface Story {
  turns: number;
  tiles: Grown[];
  trams: Trips[];
}

export function story(view: TramView, happened: readonly Happened[]): Story {
  const laidBy = new Map<number, number>();
  for (const { events } of happened)
    for (const { key, args } of events)
      if (key === "event.laid" || key === "event.replaced")
        laidBy.set(squareCalled(args.square), args.seat);
  return {
    turns: Math.max(1, view.turn),
    tiles: view.tiles
      .map((tile) => ({ ...tile, seat: laidBy.get(tile.square) ?? -1 }))
      .sort((a, b) => a.laid - b.laid),
    trams: view.trams.map(({ trips }) => {
      let sum = 0;
      return { steps: trips.map(({ turn, points }) => ({ turn, points, sum: (sum += points) })) };
    }),
  };
}

/** The network after every turn, from the match step by step: with what was torn up, washed away or
    taken back since. */
export function growth(replay: Replay): Grown[][] {
  const after: Grown[][] = [[]];
  /** Whose turn it was; nobody else lays anything in it. */
  const whose: number[] = [];
  let scene = replay.scene as { view: Sent.TramView };
  for (const { delta } of replay.steps) {
    scene = patched(scene, delta);
    const { turn, current, tiles } = scene.view;
    whose[turn] = current;
    after.length = Math.min(after.length, turn); // turns that were taken back never were
    after[turn] = tiles.map((tile) => ({ ...laidTile(tile), seat: whose[tile.laid] ?? -1 }));
  }
  return after;
}
