import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import express from "../../../src/capolinea/games/stop_the_train/data/track/express.json";
import { prefs } from "../../src/lib/prefs.svelte";
import { layOut } from "../../src/titles/stop-the-train/map/geometry";
import { Run } from "../../src/titles/stop-the-train/map/run.svelte";
import { MOST, sparks, steam } from "../../src/titles/stop-the-train/map/steam";
import type { Track } from "../../src/titles/stop-the-train/track";

beforeAll(() => vi.useFakeTimers());
afterAll(() => vi.useRealTimers());
afterEach(() => {
  prefs.motion = "auto";
});
/** So many milliseconds go by, picture by picture. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("the train runs, and a tap ends it", async () => {
  const run = new Run(2);
  run.to(5);
  await pass(300);
  expect(run.running).toBe(true);
  run.skip();
  expect([run.at, run.running]).toEqual([5, false]);
});

test("without motion it is there at once", () => {
  prefs.motion = "none";
  const run = new Run(2);
  run.to(5);
  expect([run.at, run.running]).toEqual([5, false]);
});

test("backwards it jumps", () => {
  const run = new Run(5);
  run.to(3);
  expect([run.at, run.running]).toEqual([3, false]);
});

test("it never runs past its end, nor back", async () => {
  const run = new Run(0);
  run.to(1);
  let last = 0;
  while (run.running) {
    expect(run.at).toBeGreaterThanOrEqual(last);
    expect(run.at).toBeLessThanOrEqual(1);
    last = run.at;
    await pass(20);
  }
  expect(run.at).toBe(1);
});

test("told of another run, it first ends the one that it is on", async () => {
  const run = new Run(0);
  run.to(2);
  await pass(300);
  const before = run.at;
  run.to(4);
  expect(run.at).toBe(before);
  await pass(220); // two spaces are 520 ms, however many come after
  expect(run.at).toBeCloseTo(2, 1);
  expect(run.running).toBe(true);
  await pass(600);
  expect([run.at, run.running]).toEqual([4, false]);
});

test("who missed many runs sees the last ones", async () => {
  const run = new Run(0);
  for (const there of [1, 2, 3, 4, 5, 6, 7, 8]) run.to(there);
  await pass(5 * 260);
  expect([run.at, run.running]).toEqual([8, false]);
});

describe("what a running train leaves in the air", () => {
  const layout = layOut(express as unknown as Track);
  async function running(past: number, from = 120, to = 120): Promise<Run> {
    const run = new Run(2, from);
    run.to(6, to);
    await pass(past);
    return run;
  }

  test("steam behind it, at most six puffs, the oldest the thinnest", async () => {
    const puffs = steam(layout, "", await running(700));
    expect(puffs.length).toBeGreaterThan(1);
    expect(puffs.length).toBeLessThanOrEqual(MOST);
    expect(puffs[0]!.left).toBeLessThan(puffs.at(-1)!.left);
    for (const { left } of puffs) expect(left).toBeGreaterThanOrEqual(0);
  });

  test("sparks only when it brakes, at most six", async () => {
    const slower = await running(300, 120, 90);
    expect(slower.brakes).toBe(true);
    expect(sparks(layout, "", slower).length).toBeLessThanOrEqual(MOST);
    expect((await running(300, 120, 150)).brakes).toBe(false);
  });
});
