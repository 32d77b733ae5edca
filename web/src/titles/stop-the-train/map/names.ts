/* What is written on the map: the names of places and routes, and every tenth space. */

import { name, say } from "../../../lib/words/index.svelte";
import { called, placeName } from "../track";
import { ROUTES } from "../view";
import { middle, type Layout } from "./geometry";
import type { Wanted } from "./labels";
import { tower, type stretchesOf } from "./scenery";

/** In the order in which they may take their places. On a small map some can be left out. */
export function namesOf(
  layout: Layout,
  features: ReturnType<typeof stretchesOf>,
  spaces: (route: string) => number,
  lang: string,
  size: number,
  small: boolean,
): Wanted[] {
  return [
    ...landmarks(layout, size),
    ...ROUTES.map((id) => routeName(layout, id, spaces(id), lang, size)),
    ...features.map(({ id, spots, feature }) => ({
      id,
      text: placeName(layout.track, id, lang),
      size,
      spots: [middle(spots), ...spots],
      off: feature.kind === "tunnel" ? 26 : 19,
      optional: small,
    })),
    ...(small ? [] : tens(layout, size)),
  ];
}

function landmarks(layout: Layout, size: number): Wanted[] {
  const line = layout.sections.line.spots;
  const box = tower(layout);
  return [
    { id: "start", text: say("stt.start"), size, spots: [line[0]!], off: 18 },
    {
      id: "box",
      text: name("feature-kind", "signal-box"),
      size,
      // Above its tower, else beside the line.
      spots: [{ x: box.x - 8, y: box.y - 74, a: 0 }, line[line.length - 1]!],
      off: 2,
    },
  ];
}

function routeName(
  layout: Layout,
  id: (typeof ROUTES)[number],
  spaces: number,
  lang: string,
  size: number,
): Wanted {
  const { spots } = layout.sections[id];
  const half = (spots.length - 1) / 2;
  const from = spots
    .map((spot, i) => ({ spot, far: Math.abs(i - half) }))
    .filter(({ far }) => far <= spots.length / 4) // towards its ends it might be any of them
    .sort((a, b) => a.far - b.far)
    .map(({ spot }) => spot);
  const text = `${called(layout.track.sections[id].name, lang)} ${spaces}`;
  return { id, text: text.toUpperCase(), size: size * 1.1, spots: from, off: 18 };
}

function tens(layout: Layout, size: number): Wanted[] {
  const line = layout.sections.line.spots;
  const inTunnel = (n: number) =>
    layout.track.sections.line.features.some(
      (one) => one.kind === "tunnel" && n >= one.from && n <= one.to,
    );
  const found: Wanted[] = [];
  for (let n = 10; n < line.length - 1; n += 10)
    if (!inTunnel(n))
      found.push({
        id: `n${n}`,
        text: String(n),
        size: size * 0.8,
        spots: [line[n]!],
        optional: true,
      });
  return found;
}
