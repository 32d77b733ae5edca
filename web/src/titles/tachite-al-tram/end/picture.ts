/* The end on one sheet: the line that all have built, as it lies there, and what each tram carried. */

import { HEIGHT, image, WIDTH, type Sheet, type Writing } from "../../picture";
import { name, say, voice } from "../../../lib/words/index.svelte";
import { liveryOf, plate } from "../art/trams";
import type { Sight } from "../types";
import { seen } from "../view";

/** The hill has this much of the sheet; beside it stands who carried what. */
const HILL = 650;
const EDGE = 40;
const WORDS: Writing = {
  font: "600 34px",
  family: "--font-ui",
  colour: "--tat-deep",
  wide: WIDTH - HILL - 2 * EDGE,
  line: 42,
};

export async function paint(sheet: Sheet, sight: Sight): Promise<void> {
  await sheet.ready(["700 64px", "--font-display"], ["600 34px", "--font-ui"]);
  const view = seen(sight);
  sheet.fill("--tat-cream", 0, 0, WIDTH, HEIGHT);
  sheet.fill("--tat-hill-3", 0, 0, HILL, HEIGHT);
  await hill(sheet);
  const x = HILL + EDGE;
  const ended = name("ending", sight.scene.result?.ending ?? "");
  let y = sheet.write(ended, x, 100, {
    ...WORDS,
    font: "700 46px",
    family: "--font-display",
    line: 52,
  });
  const won = sight.names.filter((_, seat) => sight.scene.result?.outcomes[seat]?.won);
  y = sheet.write(
    say("tat.end.summary", {
      names: voice.words.join(won),
      count: won.length,
      rounds: view.round,
      tiles: view.tiles.length,
    }),
    x,
    y + 20,
    WORDS,
  );
  const order = view.trams
    .map(({ points }, seat) => ({ seat, points }))
    .sort((a, b) => b.points - a.points);
  for (const { seat, points } of order) {
    y += 84;
    const { shape, colour } = liveryOf(seat);
    sheet.pen.fillStyle = solid(sheet, colour);
    sheet.pen.fill(new Path2D(plate(shape, x + 24, y - 12, 24)));
    sheet.write(sight.names[seat] ?? "", x + 64, y, { ...WORDS, wide: 200, lines: 1 });
    const best = Math.max(0, ...view.trams[seat]!.trips.map((trip) => trip.points));
    const small = {
      ...WORDS,
      font: "500 26px",
      family: "--font-cond",
      line: 30,
      wide: 220,
      lines: 1,
    };
    if (best > 1) sheet.write(say("tat.end.fullest", { points: best }), x + 64, y + 32, small);
    const number = { ...WORDS, font: "700 56px", family: "--font-cond", align: "right" as const };
    sheet.write(String(points), WIDTH - EDGE, y + 6, number);
  }
  sheet.fill("--tat-enamel", HILL, HEIGHT - 180, WIDTH - HILL, 180);
  const white = { ...WORDS, colour: "--tat-white" };
  const below = { ...white, font: "700 42px", family: "--font-display", line: 48 };
  y = sheet.write(name("title", "name"), x, HEIGHT - 105, below);
  sheet.write("Capolinea", x, y, white);
}

/** Colours of trams are tokens, or colours. */
function solid(sheet: Sheet, colour: string): string {
  const token = /^var\((--[\w-]+)\)$/.exec(colour)?.[1];
  return token ? sheet.colour(token) : colour;
}

/** The board as the page shows it now. */
async function hill(sheet: Sheet): Promise<void> {
  const svg = document.querySelector<SVGSVGElement>("[data-hill]");
  if (!svg) return;
  const found = await image(svg);
  const scale = Math.min(HILL / found.width, HEIGHT / found.height);
  const [wide, high] = [found.width * scale, found.height * scale];
  sheet.pen.drawImage(found, (HILL - wide) / 2, (HEIGHT - high) / 2, wide, high);
}
