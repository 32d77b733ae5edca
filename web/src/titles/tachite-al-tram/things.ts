/* What things are, in words: for "what is this", and for who does not see the board. */

import type { Sight } from "./types";
import { prefs } from "../../lib/prefs.svelte";
import { name, say, voice } from "../../lib/words/index.svelte";
import { called, type Chart } from "./chart";
import { SIDES, open } from "./map/rails";
import { shapeRails } from "./tiles";
import { seen } from "./view";

const SIDE_NAMES: Record<number, string> = { 1: "north", 2: "east", 4: "south", 8: "west" };

/** Everything about a square, in a few sentences. */
export function facts(sight: Sight, chart: Chart, square: number): string {
  const view = seen(sight);
  const kind = chart.kinds[square] ?? "grass";
  const said: string[] = [];
  const laid = view.tiles.find((tile) => tile.square === square);
  const place = called(chart.names[square], prefs.lang);
  const what = laid ? name("tile", laid.shape) : name("tat.square", kind);
  said.push(place ? say("tat.square.named", { name: place, what }) : what);
  const rails = laid ? shapeRails(view, laid.shape, laid.turn) : chart.printed[square]!;
  const sides = SIDES.filter((side) => open(rails) & side).map((side) =>
    name("side", SIDE_NAMES[side]!),
  );
  if (sides.length) said.push(say("tat.square.rails", { sides: voice.words.join(sides) }));
  const stop = chart.stops.findIndex((one) => one.square === square || one.waiting === square);
  if (stop >= 0) {
    const { top, count } = view.stops[stop] ?? { top: null, count: 0 };
    if (!top) said.push(say("tat.square.nobody"));
    else {
      const unlucky = chart.passengers[top]?.unlucky.includes(view.trams.length);
      const who = name("passenger", top);
      said.push(
        unlucky
          ? say("tat.square.waits.unlucky", { who, count })
          : say("tat.square.waits", { who, count }),
      );
    }
  }
  if (kind === "funicular")
    said.push(say(view.funicular_closed ? "tat.funicular.closed" : "tat.funicular"));
  if (kind === "roundabout") said.push(say("tat.roundabout"));
  if (kind === "workshop") said.push(say("tat.workshop"));
  if (view.last_laid?.square === square)
    said.push(say("tat.square.last", { name: sight.names[view.last_laid.seat] ?? "" }));
  view.trams.forEach((tram, seat) => {
    if (tram.square !== square) return;
    said.push(
      seat === sight.number
        ? say("tat.square.mine")
        : say("tat.square.tram", { name: sight.names[seat] ?? "" }),
    );
  });
  return said.map((one) => (/[.!?)]$/.test(one) ? one : `${one}.`)).join(" ");
}
