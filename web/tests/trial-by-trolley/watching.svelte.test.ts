/* A verdict is looked at until it is put aside, or the table has waited long enough. */
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { prefs } from "../../src/lib/prefs.svelte";
import type { Acting, Sight } from "../../src/titles/trial-by-trolley/types";
import { watching } from "../../src/titles/trial-by-trolley/run.svelte";

beforeEach(() => {
  vi.useFakeTimers();
  prefs.motion = "none";
});
afterEach(() => {
  vi.useRealTimers();
  prefs.motion = "auto";
});

/** A table at which somebody else has just judged. */
function table() {
  const state = $state({ judged: 0, resting: false, choosing: false, seen: 0 });
  const past = () => Array.from({ length: state.judged }, () => ({ conductor: 2 }));
  const look = () => ({
    sight: {
      code: "BCDFGH",
      number: 0,
      happened: [],
      scene: { view: { phase: "innocent", past: past() } },
    } as unknown as Sight,
    acting: { resting: state.resting, seen: () => (state.seen += 1) } as unknown as Acting,
    choosing: state.choosing,
  });
  let run!: ReturnType<typeof watching>;
  const stop = $effect.root(() => {
    run = watching(look);
  });
  flushSync();
  return {
    run,
    state,
    stop,
    then(change: Partial<typeof state>) {
      Object.assign(state, change);
      flushSync();
    },
  };
}

test("where nobody is waited for it goes after a while", () => {
  const { run, then, stop } = table();
  then({ judged: 1 });
  expect(run.round).toBe(0);
  vi.advanceTimersByTime(6000);
  expect(run.round).toBe(-1);
  stop();
});

test("where the table waits for me it stays, and I say when I have seen it", () => {
  const { run, state, then, stop } = table();
  then({ judged: 1 });
  then({ resting: true });
  vi.advanceTimersByTime(15_000);
  expect(run.round).toBe(0);
  run.goOn();
  expect([run.round, state.seen]).toEqual([-1, 1]);
  stop();
});

test("when the table has waited long enough it goes on", () => {
  const { run, state, then, stop } = table();
  then({ judged: 1 });
  then({ resting: true });
  then({ resting: false });
  expect([run.round, state.seen]).toEqual([-1, 0]);
  stop();
});

test("who begins to choose has seen it", () => {
  const { run, state, then, stop } = table();
  then({ judged: 1 });
  then({ resting: true });
  then({ choosing: true });
  expect([run.round, state.seen]).toEqual([-1, 1]);
  stop();
});
