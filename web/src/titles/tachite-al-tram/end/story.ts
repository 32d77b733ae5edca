/* The whole match in one picture: when each tile was laid and by whom, and what each trip carried. */

import type { Happened } from "../../../lib/seat.svelte";
import { squareCalled } from "../squares";
import type { LaidTile, TramView } from "../view";

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
        laidBy.set(squareCalled(String(args?.square)), Number(args?.seat));
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
