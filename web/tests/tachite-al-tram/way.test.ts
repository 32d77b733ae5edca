import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { chartFrom, type Chart } from "../../src/titles/tachite-al-tram/chart";
import { rails, type Point } from "../../src/titles/tachite-al-tram/map/rails";
import {
  lengthOf,
  pathOf,
  pointAt,
  stepAt,
  towards,
  wayOver,
} from "../../src/titles/tachite-al-tram/map/way";
import {
  beside,
  squareCalled,
  squareName,
  SQUARES,
} from "../../src/titles/tachite-al-tram/squares";
import { goals, homeOf, rollsTo } from "../../src/titles/tachite-al-tram/ways";
import type { End } from "../../src/titles/tachite-al-tram/view";

const FILE = "../src/capolinea/games/tachite_al_tram/data/board/trieste-opicina.json";
const chart: Chart = chartFrom(JSON.parse(readFileSync(FILE, "utf-8")));
const square = squareCalled;

test("squares have names, and names squares", () => {
  for (let i = 0; i < SQUARES; i++) expect(square(squareName(i))).toBe(i);
  expect(square("A1")).toBe(0);
  expect(square("G14")).toBe(97);
  expect(square("H1")).toBe(-1);
  expect(square("A15")).toBe(-1);
  expect(beside(square("D8"), 1)).toBe(square("D9"));
  expect(beside(square("G8"), 2)).toBe(-1);
});

test("the board's file is read", () => {
  expect(chart.kinds[square("D8")]).toBe("workshop");
  expect(chart.kinds[square("A5")]).toBe("funicular");
  expect(chart.stops).toHaveLength(6);
  expect(chart.oberdan).toBe(square("D1"));
  expect(chart.opicina).toBe(square("D14"));
  for (const stop of chart.stops) {
    expect(chart.kinds[stop.square]).toBe("stop");
    expect(chart.kinds[stop.waiting]).toBe("waiting");
    expect(chart.printed[stop.square]).not.toEqual([]);
  }
  // A one-way rail is drawn as any other.
  expect(chart.printed[chart.ring[0]!]).toEqual(rails("ES NS NE"));
});

const straight = (names: string) => names.split(" ").map(square);
function unbroken(line: Point[]): void {
  for (let i = 1; i < line.length; i++)
    expect(Math.hypot(line[i]![0] - line[i - 1]![0], line[i]![1] - line[i - 1]![1])).toBeLessThan(
      101,
    );
}

test("a way goes along the rails, from where one stands to where one stands", () => {
  const all = Array.from({ length: SQUARES }, () => [] as number[]);
  all[square("D2")] = rails("NS");
  all[square("D3")] = rails("ES");
  all[square("E3")] = rails("EW");
  const path = straight("D2 D3 E3");
  const line = wayOver(path, all);
  unbroken(line);
  expect(line[0]).toEqual([350, 1250]);
  expect(line.at(-1)).toEqual([450, 1150]);
  // Half a square, a quarter circle, half a square.
  expect(lengthOf(line)).toBeCloseTo(100 + (Math.PI / 2) * 50, 0);
  expect(pointAt(line, 0)).toEqual(line[0]);
  expect(pointAt(line, 25)).toEqual([350, 1225]);
  expect(pointAt(line, 1e6)).toEqual(line.at(-1));
  expect(pathOf(line)).toMatch(/^M350 1250L350 1200/);
  const [x, y] = stepAt(path, 1, all);
  expect(Math.hypot(400 - x, 1200 - y)).toBeCloseTo(50);
});

test("the funicular is one long ride", () => {
  expect(towards(square("A3"), square("A7"))).toBe(1);
  expect(towards(square("A7"), square("A3"))).toBe(4);
  const line = wayOver(straight("A3 A7"), chart.printed);
  expect(line[0]![0]).toBe(50);
  expect(lengthOf(line)).toBeCloseTo(400);
});

const end = (name: string, more: Partial<End> = {}): End => ({
  square: square(name),
  path: straight(`D1 ${name}`),
  steps: [{ do: "go" }],
  damage: 0,
  hits: [],
  early: false,
  ...more,
});

test("ends come by what they are worth, harm last, and the cheapest way first", () => {
  const harm = end("F1", { damage: 1, path: straight("D1 F1") });
  const found = goals(
    [
      harm,
      end("D4"),
      end("F1", { path: straight("D1 E1 F1") }),
      end("D14"),
      end("D8"),
      end("C3", { damage: 1 }),
    ],
    chart,
    homeOf(chart, { to: "opicina" }),
  );
  expect(found.map((goal) => squareName(goal.square))).toEqual(["D14", "F1", "D8", "D4", "C3"]);
  expect(found[1]!.ends).toHaveLength(2);
  expect(found[1]!.damage).toBe(0);
  expect(found[4]!.off).toBe(true);
  // Who comes from Opicina has nothing to look for there.
  const back = goals([end("D14"), end("D4")], chart, homeOf(chart, { to: "oberdan" }));
  expect(back.map((goal) => squareName(goal.square))).toEqual(["D4", "D14"]);
});

test("running into somebody is no end of the rails; both at once are", () => {
  const [hit] = goals([end("D4", { damage: 1, hits: [1] })], chart, -1);
  const [both] = goals([end("D4", { damage: 2, hits: [1] })], chart, -1);
  expect([hit!.off, both!.off]).toEqual([false, true]);
});

test("before rolling every square knows its rolls", () => {
  const rolls = rollsTo([
    { roll: 1, ends: [end("D2")] },
    { roll: 2, ends: [end("D2"), end("D2"), end("F1")] },
  ]);
  expect(rolls.get(square("D2"))).toEqual([1, 2]);
  expect(rolls.get(square("F1"))).toEqual([2]);
});
