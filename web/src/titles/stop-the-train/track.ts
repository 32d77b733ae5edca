/* The track file: the same data that the rules run on draws the map. */

import { api } from "../../lib/api";
import type { Sight } from "./types";
import { seen } from "./view";

export type Point = [number, number];
export type Named = Record<string, string>;

export interface Feature {
  kind: "bridge" | "viaduct" | "tunnel" | "hill";
  from: number;
  to: number;
  name: Named;
  label: Point;
}

export interface Section {
  name: Named;
  spaces: number;
  points: Point[];
  radius: number;
  label: Point;
  features: Feature[];
}

export const SECTIONS = ["line", "fast-track", "viaduct", "scenic-route", "paris"] as const;
export type SectionId = (typeof SECTIONS)[number];

export function isSection(id: string): id is SectionId {
  return SECTIONS.some((one) => one === id);
}

export interface Track {
  name: Named;
  train: number;
  size: Point;
  sections: Record<SectionId, Section>;
  rivers?: Point[][];
  mountains?: { at: Point; size: Point }[];
}

// They come with the board: a file of their own would be one more way to the server and back.
const BUILT_IN = import.meta.glob<Track>(
  "../../../../src/capolinea/games/stop_the_train/data/track/*.json",
  {
    eager: true,
    import: "default",
  },
);
const known = new Map<string, Promise<Track>>();

/** The track of a match: one of ours, or the one that was brought to it. */
export function trackOf(sight: Sight): Promise<Track> {
  const named = seen(sight).table.track;
  const key = named || sight.match;
  let found = known.get(key);
  if (found === undefined) {
    found = named ? builtIn(named) : api.matchData<Track>(sight.match, "track");
    known.set(key, found);
    found.catch(() => known.delete(key)); // the network may be back next time
  }
  return found;
}

async function builtIn(wanted: string): Promise<Track> {
  const file = Object.entries(BUILT_IN).find(([path]) => path.endsWith(`/${wanted}.json`));
  if (!file) throw new Error(wanted);
  return file[1];
}

/** A name as the file has it, in this language or in one that it has. */
export function called(names: Named, lang: string): string {
  return names[lang] ?? names.en ?? Object.values(names)[0] ?? "";
}

/** The name of a feature, by `<section>.<number>`. */
export function placeName(track: Track, id: string, lang: string): string {
  const [section = "", number] = id.split(".");
  const feature = isSection(section) ? track.sections[section].features[Number(number)] : undefined;
  return feature ? called(feature.name, lang) : "";
}
