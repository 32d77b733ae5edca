/* The end on one sheet: the verdict that took most along, why, and the toll. */

import { broken, WIDTH, type Sheet, type Writing } from "../../picture";
import { name, say, tell, voice } from "../../../lib/words/index.svelte";
import type { Sight } from "../types";
import { dead, seen, stood, tellings, type PastRound } from "../view";

const EDGE = 60;
const CARD = 720;
const COND: Writing = {
  font: "700 44px",
  family: "--font-cond",
  colour: "--tbt-black",
  wide: CARD - 60,
  line: 50,
};

export async function paint(sheet: Sheet, sight: Sight): Promise<void> {
  await sheet.ready(
    ["900 112px", "--tbt-font-shout"],
    ["700 44px", "--font-cond"],
    ["500 34px", "--font-ui"],
  );
  const view = seen(sight);
  sheet.fill("--tbt-black", 0, 0, WIDTH, 1350);
  rails(sheet);
  const at = worst(view.past);
  const round = view.past[at];
  const shout = { ...COND, font: "900 112px", family: "--tbt-font-shout", line: 108, wide: 760 };
  let y = 150;
  if (round) {
    const side = say(round.taken === "north" ? "tbt.side.north" : "tbt.side.south");
    y = sheet.write(say("tbt.picture.took").toUpperCase(), EDGE, y, {
      ...shout,
      colour: "--tbt-bone",
    });
    y = sheet.write(side.toUpperCase(), EDGE, y, { ...shout, colour: "--tbt-yellow" }) - 50;
    y = cards(sheet, round, y);
    reason(sheet, sight, at, round, y + 50);
  }
  winners(sheet, sight);
  sheet.fill("--tbt-yellow", 0, 1250, WIDTH, 100);
  sheet.write(name("title", "name").toUpperCase(), EDGE, 1318, {
    ...COND,
    font: "900 56px",
    family: "--tbt-font-shout",
  });
  sheet.write("Capolinea", WIDTH - EDGE, 1316, { ...COND, font: "600 38px", align: "right" });
}

/** The round that had most hung on those whom it killed. */
export function worst(past: readonly PastRound[]): number {
  const weight = (round: PastRound) =>
    stood(round.taken === "north" ? round.north : round.south).reduce(
      (sum, { modifiers }) => sum + modifiers.length,
      0,
    );
  return past.reduce((found, round, at) => (weight(round) > weight(past[found]!) ? at : found), 0);
}

interface Chip {
  text: string;
  x: number;
  ground: string;
  ink: string;
}

/** Whom it killed, with so much of what hung on them. */
function chips(round: PastRound, tags: number): Chip[] {
  return stood(round.taken === "north" ? round.north : round.south).flatMap((one) => [
    {
      text: capital(name("card", one.card)),
      x: EDGE,
      ...(one.deck === "innocent"
        ? { ground: "--tbt-bone", ink: "--tbt-black" }
        : { ground: "--tbt-coal-3", ink: "--tbt-bone" }),
    },
    ...one.modifiers.slice(0, tags).map(({ card }) => ({
      text: `… ${name("card", card)}`,
      x: EDGE + 50,
      ground: "--tbt-yellow",
      ink: "--tbt-black",
    })),
  ]);
}

/** As large as it fits, and with as much hung on them; where it ends. */
function cards(sheet: Sheet, round: PastRound, top: number): number {
  const ways = [
    { size: 38, tags: 2 },
    { size: 32, tags: 2 },
    { size: 32, tags: 1 },
  ];
  const high = ({ size, tags }: (typeof ways)[number]) =>
    chips(round, tags).reduce(
      (sum, one) => sum + lines(sheet, one, size).length * size * 1.1 + 42,
      0,
    );
  const { size, tags } = ways.find((way) => top + high(way) < 1000) ?? ways.at(-1)!;
  return chips(round, tags).reduce((y, one) => chip(sheet, one, size, y) + 10, top);
}

function lines(sheet: Sheet, { text }: Chip, size: number): string[] {
  sheet.pen.font = sheet.font(`700 ${size}px`, "--font-cond");
  return broken(text, CARD - 50, (part) => sheet.pen.measureText(part).width).slice(0, 2);
}

/** A text on a ground of its own, of two lines at most; where it ends. */
function chip(sheet: Sheet, one: Chip, size: number, y: number): number {
  const line = size * 1.1;
  const high = lines(sheet, one, size).length * line + 32;
  sheet.fill(one.ground, one.x, y, CARD, high);
  sheet.write(one.text, one.x + 25, y + 14 + size, {
    ...COND,
    font: `700 ${size}px`,
    line,
    wide: CARD - 50,
    lines: 2,
    colour: one.ink,
  });
  return y + high;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the Conductor said for it. */
function reason(sheet: Sheet, sight: Sight, at: number, round: PastRound, y: number): void {
  const said = tellings(sight.happened)[at]?.reasons[0];
  const killed = voice.words.join(dead(round).map((seat) => sight.names[seat] ?? ""));
  const spoken = {
    ...COND,
    font: "500 34px",
    family: "--font-ui",
    colour: "--tbt-bone",
    line: 42,
    wide: 780,
    lines: 3,
  };
  const below = said ? sheet.write(tell(said, sight.names), EDGE, y, spoken) : y;
  sheet.write(`† ${killed}`, EDGE, below + 8, {
    ...COND,
    colour: "--tbt-yellow",
    font: "600 38px",
    wide: 780,
    lines: 2,
  });
}

/** Who got away with least. */
function winners(sheet: Sheet, sight: Sight): void {
  const names = sight.names.filter((_, seat) => sight.scene.result?.outcomes[seat]?.won);
  const said = say("tbt.end.win", { names: voice.words.join(names), count: names.length });
  sheet.write(said, EDGE, 1215, {
    ...COND,
    font: "600 36px",
    colour: "--tbt-bone-3",
    wide: 820,
    lines: 1,
  });
}

/** The line at the side, and the trolley on it. */
function rails(sheet: Sheet): void {
  const x = 900;
  for (let y = 0; y < 1250; y += 26) sheet.fill("--tbt-coal-3", x, y, 116, 9);
  sheet.fill("--tbt-bone", x + 20, 0, 12, 1250);
  sheet.fill("--tbt-bone", x + 84, 0, 12, 1250);
  sheet.path("--tbt-bone", "M-22 130V90a80 60 0 0 1 160 0v40z", x, 20);
  sheet.fill("--tbt-coal-2", x - 40, 130, 196, 130);
  for (const pane of [-24, 36, 96]) sheet.fill("--tbt-bone", x + pane, 144, 44, 52);
  sheet.fill("--tbt-bone", x - 40, 205, 196, 14);
  sheet.path("--tbt-yellow", "M0-26a26 26 0 1 0 .1 0z", x + 58, 246);
  sheet.fill("--tbt-bone", x - 52, 272, 220, 16);
}
