/* What moves goes as it was told: leg after leg, none begun anew; who is asked does not wait. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { prefs } from "../../src/lib/prefs.svelte";
import type { Game, Happened } from "../../src/lib/sight";
import { Journey, Tidings } from "../../src/titles/journey.svelte";
import { Runs } from "../../src/titles/tachite-al-tram/map/runs.svelte";
import { Run } from "../../src/titles/trial-by-trolley/run.svelte";

beforeAll(() => vi.useFakeTimers());
afterAll(() => vi.useRealTimers());
afterEach(() => {
  prefs.motion = "auto";
});
/** So many milliseconds go by, picture by picture. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("a journey", () => {
  let done: string[];
  let journey: Journey<string>;
  beforeEach(() => {
    done = [];
    journey = new Journey<string>(
      () => 100,
      (leg) => done.push(leg),
    );
  });

  test("goes leg after leg", async () => {
    journey.add(["one"]);
    await pass(50);
    journey.add(["two"]);
    expect([journey.leg, done]).toEqual(["one", []]);
    await pass(100);
    expect([journey.leg, done]).toEqual(["two", ["one"]]);
    await pass(150);
    expect([journey.leg, done]).toEqual([null, ["one", "two"]]);
  });

  test("of many legs shows the last ones, and leaves none out", async () => {
    journey.add(["a", "b", "c", "d", "e"]);
    expect([journey.leg, done]).toEqual(["c", ["a", "b"]]);
    await pass(500);
    expect([journey.leg, done]).toEqual([null, ["a", "b", "c", "d", "e"]]);
  });

  test("ends at once when it is skipped, and goes on with what is told later", async () => {
    journey.add(["one", "two"]);
    await pass(50);
    journey.skip();
    expect([journey.leg, done]).toEqual([null, ["one", "two"]]);
    journey.add(["three"]);
    await pass(50);
    expect(journey.leg).toBe("three");
    await pass(100);
    expect(done).toEqual(["one", "two", "three"]);
  });

  test("without motion is over before it begins", () => {
    prefs.motion = "none";
    journey.add(["one", "two"]);
    expect([journey.leg, done]).toEqual([null, ["one", "two"]]);
  });
});

test("tidings are what was told since: not what was there before, nor after a step back", () => {
  const told = (...numbers: number[]): Happened[] =>
    numbers.map((n) => ({ n, events: [{ key: `event.${n}` }] }));
  const tidings = new Tidings<Game>();
  expect(tidings.of(told(1, 2))).toEqual([]);
  expect(tidings.of(told(1, 2, 3, 4)).map((event) => event.key)).toEqual(["event.3", "event.4"]);
  expect(tidings.of(told(1, 2, 3, 4))).toEqual([]);
  expect(tidings.of(told(1, 2))).toEqual([]);
  expect(tidings.of(told(1, 2, 3)).map((event) => event.key)).toEqual(["event.3"]);
  // Who was set aside had to forget it all, and is told it anew.
  expect(tidings.of([])).toEqual([]);
  expect(tidings.of(told(1, 2, 3, 4))).toEqual([]);
});

describe("trams", () => {
  const home = [0, 0] as const;
  const stop = [300, 0] as const;
  const depot = [300, 400] as const;

  test("a tram that was hit is towed after it was hit, and the others stand", async () => {
    const runs = new Runs();
    runs.rest([home, stop]);
    runs.go(0, [home, [150, 0], stop]);
    runs.go(1, [depot]);
    runs.rest([stop, depot]);
    await pass(200);
    expect(runs.at[0]![0]).toBeGreaterThan(0);
    expect(runs.at[1]).toEqual(stop);
    await pass(400);
    expect(runs.at[0]).toEqual(stop);
    expect(runs.at[1]![1]).toBeGreaterThan(0);
    await pass(700);
    expect([runs.at, runs.running]).toEqual([[stop, depot], false]);
  });

  test("what nobody told of (a move that is taken back) goes straight there", async () => {
    const runs = new Runs();
    runs.rest([stop]);
    runs.rest([home]);
    await pass(200);
    expect(runs.running).toBe(true);
    await pass(600);
    expect([runs.at, runs.running]).toEqual([[home], false]);
  });
});

test("a verdict that is shown does not begin anew when the match is over with it", async () => {
  const run = new Run();
  run.show(2, false);
  await pass(900);
  const at = run.at;
  expect(at).toBeGreaterThan(0.3);
  run.show(2, true);
  expect(run.at).toBe(at);
  await pass(1000);
  expect([run.at, run.round]).toEqual([1, 2]);
  run.stop();
});
