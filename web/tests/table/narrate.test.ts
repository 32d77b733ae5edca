/* What is told as it happens: one thing after the other, at a pace that one can read. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Line, Told } from "../../src/generated/protocol";
import { GAP, MOST, names, Paced, tellings } from "../../src/screens/table/narrate";

const told = (key: string, args: Told["args"] = {}, more: Partial<Told> = {}): Told => ({
  key,
  args,
  ...more,
});
const short = () => 30;
const long = () => 80;

function keys(happened: Told[][], length: (line: Line) => number = short, covered = true) {
  const frames = happened.map((events, number) => ({ n: number + 1, events }));
  return tellings(frames, covered, length).map(({ seat, lines }) => [
    seat,
    ...lines.map(({ key }) => key),
  ]);
}

describe("what is told at once", () => {
  const played = told("event.played", { seat: 3 });
  const moved = told("event.moved", { speed: 90 });

  it("is what happened at once, with the face of whose doing it was", () => {
    expect(keys([[played, moved], [], [told("event.drew", { seat: 1 })]])).toEqual([
      [3, "event.played", "event.moved"],
      [1, "event.drew"],
    ]);
  });

  it("is no more than there is room for, and its second part has the same face", () => {
    expect(keys([[played, moved]], long)).toEqual([
      [3, "event.played"],
      [3, "event.moved"],
    ]);
  });

  it("is nothing that only I know, as long as neighbours may look on", () => {
    const own = told("event.drew.own", { seat: 0 }, { private: true, others: "event.drew" });
    const papers = told("event.character", { role: "rogue" }, { private: true });
    expect(keys([[papers], [own]])).toEqual([[0, "event.drew"]]);
    expect(keys([[papers], [own]], short, false)).toEqual([
      [null, "event.character"],
      [0, "event.drew.own"],
    ]);
  });
});

it.each([
  ["seat", 2],
  ["other", 2],
  ["others", [0, 2]],
  ["team", [2]],
])("names those who are its %s", (who, value) => {
  const telling = { seat: null, lines: [{ key: "event.a", args: { [who]: value, count: 5 } }] };
  expect(names(telling, 2)).toBe(true);
  expect(names(telling, 5)).toBe(false);
});

describe("one after the other", () => {
  const shown: number[] = [];
  const paced = new Paced<number>((one) => shown.push(one));
  beforeEach(() => {
    vi.useFakeTimers();
    shown.length = 0;
  });
  afterEach(() => {
    paced.stop();
    vi.useRealTimers();
  });

  it("shows the first at once, and the next when the first could be read", () => {
    paced.add([1, 2]);
    expect(shown).toEqual([1]);
    vi.advanceTimersByTime(GAP - 1);
    expect(shown).toEqual([1]);
    vi.advanceTimersByTime(1);
    expect(shown).toEqual([1, 2]);
    paced.add([3]);
    expect(shown).toEqual([1, 2]);
    vi.advanceTimersByTime(GAP);
    expect(shown).toEqual([1, 2, 3]);
  });

  it("skips the oldest of too many: what is newest is told soonest", () => {
    paced.add([1]);
    paced.add([2, 3, 4]);
    paced.add([5, 6]);
    vi.advanceTimersByTime(GAP * 10);
    expect(shown).toEqual([1, 4, 5, 6]);
    expect(shown.slice(1)).toHaveLength(MOST);
  });

  it("is silent once it is stopped, and can begin anew", () => {
    paced.add([1, 2]);
    paced.stop();
    vi.advanceTimersByTime(GAP * 2);
    expect(shown).toEqual([1]);
    paced.add([3]);
    expect(shown).toEqual([1, 3]);
  });
});
