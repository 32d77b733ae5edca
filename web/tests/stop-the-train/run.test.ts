import { afterEach, describe, expect, test } from "vitest";
import express from "../../../src/capolinea/games/stop_the_train/data/track/express.json";
import { prefs } from "../../src/lib/prefs.svelte";
import { layOut } from "../../src/titles/stop-the-train/map/geometry";
import { Run } from "../../src/titles/stop-the-train/map/run.svelte";
import { MOST, sparks, steam } from "../../src/titles/stop-the-train/map/steam";
import type { Track } from "../../src/titles/stop-the-train/track";

afterEach(() => {
  prefs.motion = "auto";
});

test("the train runs, and a tap ends it", () => {
  const run = new Run(2);
  run.to(5);
  expect(run.running).toBe(true);
  run.skip(5);
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
    last = run.at;
    await new Promise((done) => setTimeout(done, 20));
  }
  expect(run.at).toBe(1);
});

describe("what a running train leaves in the air", () => {
  const layout = layOut(express as unknown as Track);
  function running(past: number, from = 120, to = 120): Run {
    const run = new Run(2, from);
    run.to(6, to);
    run.past = past;
    return run;
  }

  test("steam behind it, at most six puffs, the oldest the thinnest", () => {
    const run = running(700);
    const puffs = steam(layout, "", run);
    run.stop();
    expect(puffs.length).toBeGreaterThan(1);
    expect(puffs.length).toBeLessThanOrEqual(MOST);
    expect(puffs[0]!.left).toBeLessThan(puffs.at(-1)!.left);
    for (const { left } of puffs) expect(left).toBeGreaterThanOrEqual(0);
  });

  test("sparks only when it brakes, at most six", () => {
    const slower = running(300, 120, 90);
    expect(slower.brakes).toBe(true);
    expect(sparks(layout, "", slower).length).toBeLessThanOrEqual(MOST);
    const faster = running(300, 120, 150);
    expect(faster.brakes).toBe(false);
    slower.stop();
    faster.stop();
  });
});
