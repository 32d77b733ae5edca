/* The board file: the same data that the rules run on draws the board. */

import { api } from "../../lib/api";
import { prefs } from "../../lib/prefs.svelte";
import type { Colour } from "./art/people";
import { rails } from "./map/rails";
import { ROWS, SQUARES, squareAt, squareCalled, squareName } from "./squares";
import type { Sight } from "./types";
import { seen } from "./view";

export type Named = Record<string, string>;

/** As it is written; chart.py says what everything means. */
interface File {
  name: Named;
  squares: string[];
  rails: Record<string, string>;
  stops: { square: string; waiting: string; name: Named }[];
  termini: Record<"oberdan" | "opicina", { square: string; name: Named }>;
  workshop: { square: string; name: Named };
  funicular: { squares: string[]; name: Named };
  roundabout: { squares: string[]; name: Named };
  names: Record<string, Named>;
  scenery: {
    bands: { land: string; rows: [number, number] }[];
    landmarks: Landmark[];
  };
  tiles: Record<string, number>;
  misfortunes: Record<string, number>;
  passengers: Record<string, { colour: Colour; unlucky: number[]; count: number }>;
}

export interface Landmark {
  picture: string;
  side: "W" | "E";
  row: number;
}

export type Kind =
  | "grass"
  | "rail"
  | "stop"
  | "waiting"
  | "terminus"
  | "workshop"
  | "funicular"
  | "roundabout"
  | "rock"
  | "tree"
  | "house";

const KINDS: Record<string, Kind> = {
  ".": "grass",
  "=": "rail",
  S: "stop",
  W: "waiting",
  T: "terminus",
  O: "workshop",
  F: "funicular",
  R: "roundabout",
  r: "rock",
  t: "tree",
  h: "house",
};

export interface Stop {
  square: number;
  waiting: number;
  name: Named;
}

export interface Chart {
  name: Named;
  /** By square. */
  kinds: Kind[];
  printed: number[][];
  names: Record<number, Named>;
  stops: Stop[];
  oberdan: number;
  opicina: number;
  workshop: number;
  funicular: number[];
  ring: number[];
  scenery: File["scenery"];
  tiles: Record<string, number>;
  misfortunes: Record<string, number>;
  passengers: File["passengers"];
}

export function chartFrom(file: File): Chart {
  const kinds: Kind[] = Array.from({ length: SQUARES }, () => "grass");
  file.squares.forEach((line, i) =>
    [...line].forEach((sign, column) => {
      kinds[squareAt(column, ROWS - 1 - i)] = KINDS[sign] ?? "grass";
    }),
  );
  const printed: number[][] = Array.from({ length: SQUARES }, () => []);
  for (const [square, text] of Object.entries(file.rails))
    printed[squareCalled(square)] = rails(text.replaceAll(">", ""));
  const stops = file.stops.map((stop) => ({
    square: squareCalled(stop.square),
    waiting: squareCalled(stop.waiting),
    name: stop.name,
  }));
  const names: Record<number, Named> = {};
  for (const [square, name] of Object.entries(file.names)) names[squareCalled(square)] = name;
  for (const stop of stops) names[stop.square] = names[stop.waiting] = stop.name;
  for (const one of [file.termini.oberdan, file.termini.opicina, file.workshop])
    names[squareCalled(one.square)] = one.name;
  for (const one of [file.funicular, file.roundabout])
    for (const square of one.squares) names[squareCalled(square)] = one.name;
  return {
    name: file.name,
    kinds,
    printed,
    names,
    stops,
    oberdan: squareCalled(file.termini.oberdan.square),
    opicina: squareCalled(file.termini.opicina.square),
    workshop: squareCalled(file.workshop.square),
    funicular: file.funicular.squares.map(squareCalled),
    ring: file.roundabout.squares.map(squareCalled),
    scenery: file.scenery,
    tiles: file.tiles,
    misfortunes: file.misfortunes,
    passengers: file.passengers,
  };
}

// They come with the board: a file of their own would be one more way to the server and back.
const BUILT_IN = import.meta.glob<File>(
  "../../../../src/capolinea/games/tachite_al_tram/data/board/*.json",
  {
    eager: true,
    import: "default",
  },
);
const known = new Map<string, Promise<Chart>>();

/** The board of a match: one of ours, or the one that was brought to it. */
export function chartOf(sight: Sight): Promise<Chart> {
  const named = seen(sight).board;
  const key = named || sight.match;
  let found = known.get(key);
  if (found === undefined) {
    const file = named ? builtIn(named) : api.matchData<File>(sight.match, "board");
    found = file.then(chartFrom);
    known.set(key, found);
    found.catch(() => known.delete(key)); // the network may be back next time
  }
  return found;
}

async function builtIn(wanted: string): Promise<File> {
  const file = Object.entries(BUILT_IN).find(([path]) => path.endsWith(`/${wanted}.json`));
  if (!file) throw new Error(wanted);
  return file[1];
}

/** A name as the file has it, in this language or in one that it has. */
export function called(names: Named | undefined, lang: string): string {
  if (!names) return "";
  return names[lang] ?? names.en ?? Object.values(names)[0] ?? "";
}

/** A square by its number, and by its name if it has one. */
export function placeName(chart: Chart | null, square: number): string {
  const name = chart ? called(chart.names[square], prefs.lang) : "";
  return name ? `${squareName(square)} ${name}` : squareName(square);
}
