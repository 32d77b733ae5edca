/* The end on one sheet: how it ended, the run, and who was who. */

import { WIDTH, type Sheet, type Writing } from "../../../lib/picture";
import { name, say } from "../../../lib/words/index.svelte";
import type { Sight } from "../types";
import { seen } from "../view";
import { short, story, type Story } from "./story";

const EDGE = 70;
const WIDE = WIDTH - 2 * EDGE;
/** Where the run is drawn. */
const RUN = { top: 420, high: 430 };

export async function paint(sheet: Sheet, sight: Sight): Promise<void> {
  await sheet.ready(["700 92px", "--font-display"], ["600 36px", "--font-cond"]);
  const view = seen(sight);
  const { result } = sight.scene;
  sheet.fill("--night-900", 0, 0, WIDTH, 1350);
  const title = { ...PLAIN, font: "700 84px", family: "--font-display", line: 88, lines: 3 };
  const ended =
    result?.ending === "stopped"
      ? say("stt.end.stopped", { count: short(view) })
      : name("ending", result?.ending ?? "");
  sheet.write(ended.toUpperCase(), EDGE, 140, title);
  run(sheet, story(view, sight.happened));
  people(sheet, sight);
  sheet.fill("--red-600", 0, 1270, WIDTH, 80);
  sheet.write(name("title", "name"), EDGE, 1324, {
    ...PLAIN,
    font: "700 40px",
    family: "--font-display",
  });
  sheet.write("Capolinea", WIDTH - EDGE, 1324, { ...PLAIN, align: "right" });
}

const PLAIN: Writing = {
  font: "600 36px",
  family: "--font-cond",
  colour: "--steam-50",
  wide: WIDE,
  line: 44,
};

/** The turns across, the line upwards, as the end itself has it. */
function run(sheet: Sheet, { legs, marks, last, box }: Story): void {
  const { pen } = sheet;
  const x = (turn: number) => EDGE + (turn / Math.max(1, legs.length)) * WIDE;
  const y = (at: number) => RUN.top + RUN.high * (1 - Math.min(at, last + 1) / (last + 1));
  sheet.fill("--night-800", EDGE, RUN.top, WIDE, RUN.high);
  for (let at = 0; at < WIDE; at += 40)
    sheet.fill(
      at % 80 ? "--stt-on-signal" : "--stt-signal",
      EDGE + at,
      RUN.top - 8,
      Math.min(40, WIDE - at),
      14,
    );
  sheet.fill("--red-500", EDGE, y(box) - 2, WIDE, 4);
  pen.lineWidth = 10;
  pen.lineCap = "round";
  for (const leg of legs) {
    pen.strokeStyle = sheet.colour(
      leg.speed >= 150 ? "--red-500" : leg.speed >= 120 ? "--steam-50" : "--night-300",
    );
    pen.beginPath();
    pen.moveTo(x(leg.turn - 1), y(leg.from));
    pen.lineTo(x(leg.turn), y(leg.to));
    pen.stroke();
  }
  for (const mark of marks) {
    pen.beginPath();
    pen.arc(x(mark.turn), y(mark.at), 13, 0, 2 * Math.PI);
    pen.fillStyle = sheet.colour("--night-900");
    pen.strokeStyle = sheet.colour("--brass-400");
    pen.lineWidth = 6;
    pen.fill();
    pen.stroke();
  }
}

/** Everybody on a line: won or lost, the name, and who they were. */
function people(sheet: Sheet, sight: Sight): void {
  const line = Math.min(62, 330 / sight.names.length);
  sight.names.forEach((player, seat) => {
    const outcome = sight.scene.result?.outcomes[seat];
    const y = 935 + seat * line;
    const colour = outcome?.won ? "--brass-400" : "--night-200";
    sheet.write(outcome?.won ? "✓" : "✗", EDGE, y, { ...PLAIN, colour });
    sheet.write(player, EDGE + 60, y, { ...PLAIN, colour, wide: 480, lines: 1 });
    const who = name("role", outcome?.role ?? "");
    sheet.write(who, WIDTH - EDGE, y, { ...PLAIN, colour, wide: 420, lines: 1, align: "right" });
  });
}
