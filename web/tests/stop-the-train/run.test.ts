import { afterEach, expect, test } from "vitest";
import { prefs } from "../../src/lib/prefs.svelte";
import { Run } from "../../src/titles/stop-the-train/map/run.svelte";

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
