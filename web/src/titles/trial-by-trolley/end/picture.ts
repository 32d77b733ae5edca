/* The end on one sheet: the verdict that took most along, why, and the toll. */

import { WIDTH, type Sheet, type Writing } from "../../../lib/picture";
import { name, say, tell, voice } from "../../../lib/words/index.svelte";
import type { Sight } from "../types";
import { dead, seen, stood, tellings, type PastRound, type TrolleyView } from "../view";

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
  await sheet.ready(["900 120px", "--tbt-font-shout"], ["700 44px", "--font-cond"]);
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
    y = reason(sheet, sight, at, round, y + 50);
  }
  toll(sheet, sight, view);
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

/** Whom it killed, with what hung on them. */
function cards(sheet: Sheet, round: PastRound, top: number): number {
  let y = top;
  for (const { card, deck, modifiers } of stood(
    round.taken === "north" ? round.north : round.south,
  )) {
    const ground = deck === "innocent" ? "--tbt-bone" : "--tbt-coal-3";
    const ink = deck === "innocent" ? "--tbt-black" : "--tbt-bone";
    y = chip(sheet, capital(name("card", card)), EDGE, y, CARD, ground, ink) + 8;
    for (const laid of modifiers.slice(0, 2))
      y =
        chip(
          sheet,
          `… ${name("card", laid.card)}`,
          EDGE + 50,
          y - 14,
          CARD - 20,
          "--tbt-yellow",
          "--tbt-black",
        ) + 8;
    y += 10;
  }
  return y;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A text on a ground of its own, of two lines at most; where it ends. */
function chip(
  sheet: Sheet,
  text: string,
  x: number,
  y: number,
  wide: number,
  ground: string,
  ink: string,
): number {
  const how = { ...COND, font: "700 38px", line: 42, wide: wide - 50, lines: 2, colour: ink };
  sheet.pen.save();
  sheet.pen.globalAlpha = 0; // how high it is
  const high = sheet.write(text, x, 0, how) + 34;
  sheet.pen.restore();
  sheet.fill(ground, x, y, wide, high);
  sheet.write(text, x + 25, y + 50, how);
  return y + high;
}

/** What the Conductor said for it. */
function reason(sheet: Sheet, sight: Sight, at: number, round: PastRound, y: number): number {
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
  return sheet.write(`† ${killed}`, EDGE, below + 8, {
    ...COND,
    colour: "--tbt-yellow",
    font: "600 38px",
    wide: 780,
    lines: 2,
  });
}

/** What it cost everybody in the end. */
function toll(sheet: Sheet, sight: Sight, view: TrolleyView): void {
  const order = sight.names
    .map((player, seat) => `${player} ${view.tokens[seat] ?? 0}`)
    .join("  ·  ");
  sheet.write(order, EDGE, 1205, {
    ...COND,
    font: "600 32px",
    colour: "--tbt-bone-3",
    wide: WIDTH - 2 * EDGE,
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
