/* The end on one sheet: how it ended, the run, and who was who. */

import { WIDTH, type Sheet, type Writing } from "../../picture";
import { name, say } from "../../../lib/words/index.svelte";
import type { Sight } from "../types";
import { seen } from "../view";
import { short, story } from "./story";
import { told } from "./told";

const EDGE = 70;
const WIDE = WIDTH - 2 * EDGE;
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
  const below = sheet.write(ended.toUpperCase(), EDGE, 140, title);
  run(sheet, sight, below - 20);
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

/** The turns across, the line upwards, as the end itself has it; from here down to the people. */
function run(sheet: Sheet, sight: Sight, top: number): void {
  const { pen } = sheet;
  const { legs, marks, last, box } = story(seen(sight), sight.happened);
  const high = 880 - top;
  const x = (turn: number) => EDGE + (turn / Math.max(1, legs.length)) * WIDE;
  const y = (at: number) => top + high * (1 - Math.min(at, last + 1) / (last + 1));
  sheet.fill("--night-800", EDGE, top, WIDE, high);
  for (let at = 0; at < WIDE; at += 40) {
    const ink = at % 80 ? "--stt-on-signal" : "--stt-signal";
    sheet.fill(ink, EDGE + at, top - 8, Math.min(40, WIDE - at), 14);
  }
  sheet.fill("--red-500", EDGE, y(box) - 2, WIDE, 4);
  pen.lineWidth = 10;
  pen.lineCap = "round";
  for (const leg of legs) {
    pen.strokeStyle = sheet.colour(pace(leg.speed));
    pen.beginPath();
    pen.moveTo(x(leg.turn - 1), y(leg.from));
    pen.lineTo(x(leg.turn), y(leg.to));
    pen.stroke();
  }
  for (const mark of marks) {
    const spot = { x: x(mark.turn), y: y(mark.at) };
    dot(sheet, spot.x, spot.y);
    // Above the run there is room on the left, below it on the right.
    const late = mark.turn > legs.length / 2;
    const { title, text } = told(sight, mark);
    sheet.write(
      text ? `${title} (${text})` : title,
      spot.x + (late ? -26 : 26),
      spot.y + (late ? -12 : 36),
      {
        ...PLAIN,
        font: "600 30px",
        align: late ? "right" : "left",
      },
    );
  }
}

function pace(speed: number): string {
  return speed >= 150 ? "--red-500" : speed >= 120 ? "--steam-50" : "--night-300";
}

function dot(sheet: Sheet, x: number, y: number): void {
  const { pen } = sheet;
  pen.beginPath();
  pen.arc(x, y, 13, 0, 2 * Math.PI);
  pen.fillStyle = sheet.colour("--night-900");
  pen.strokeStyle = sheet.colour("--brass-400");
  pen.lineWidth = 6;
  pen.fill();
  pen.stroke();
}

/** Everybody on a line: won or lost, the name, and who they were. */
function people(sheet: Sheet, sight: Sight): void {
  const line = Math.min(62, 310 / sight.names.length);
  sight.names.forEach((player, seat) => {
    const outcome = sight.scene.result?.outcomes[seat];
    const y = 955 + seat * line;
    const colour = outcome?.won ? "--brass-400" : "--night-200";
    sheet.write(outcome?.won ? "✓" : "✗", EDGE, y, { ...PLAIN, colour });
    sheet.write(player, EDGE + 60, y, { ...PLAIN, colour, wide: 480, lines: 1 });
    const who = name("role", outcome?.role ?? "");
    sheet.write(who, WIDTH - EDGE, y, { ...PLAIN, colour, wide: 420, lines: 1, align: "right" });
  });
}
