/* Who looked away is told what the others did; who looked on is not. */
import { beforeEach, expect, it } from "vitest";
import type { Happened } from "../../src/lib/seat.svelte";
import { lastSeen, recap, see } from "../../src/screens/table/recap";

const ME = 0;
const moved = (n: number, seat: number | null): Happened => ({
  n,
  events: [{ key: `event.${n}`, args: seat === null ? {} : { seat } }],
});
const ns = (happened: Happened[], seen: number, hit = -1) =>
  recap(happened, seen, ME, (events) => events[0]?.key === `event.${hit}`).map((row) => [
    row.n,
    row.seat,
    row.hit,
  ]);

it("tells what the others did since my last move, oldest first", () => {
  const all = [moved(1, 1), moved(2, ME), moved(3, 1), moved(4, null), moved(5, 2), moved(6, 1)];
  expect(ns(all, 4)).toEqual([
    [3, 1, false],
    [4, null, false],
    [5, 2, false],
    [6, 1, false],
  ]);
});

it("one thing is not worth it, unless it was done to me; nor is what I did myself", () => {
  const one = [moved(1, ME), moved(2, 1), moved(3, null)];
  expect(ns(one, 1)).toEqual([]);
  expect(ns(one, 1, 2)).toEqual([
    [2, 1, true],
    [3, null, false],
  ]);
  expect(ns([moved(1, 1), moved(2, ME), moved(3, ME), moved(4, ME)], 1)).toEqual([]);
});

it("who has not moved yet is told what they have not seen; and nobody reads a whole match", () => {
  const all = Array.from({ length: 30 }, (_, at) => moved(at + 1, 1));
  expect(ns(all, 27).map(([n]) => n)).toEqual([28, 29, 30]);
  expect(ns(all, 2)).toHaveLength(12);
});

it("tells neighbours no secret", () => {
  const own = { key: "event.own", args: { seat: 1 }, private: true, others: "event.open" };
  const happened = [moved(1, 1), { n: 2, events: [own] }];
  const [, row] = recap(happened, 0, ME, () => false);
  expect(row!.lines.map(({ key }) => key)).toEqual(["event.open"]);
});

beforeEach(() => localStorage.clear());

it("remembers for each seat of a match what it has seen, and nothing of the match before", () => {
  see("m1", 0, 7);
  see("m1", 1, 9);
  expect([lastSeen("m1", 0), lastSeen("m1", 1), lastSeen("m1", 2)]).toEqual([7, 9, null]);
  see("m2", 0, 1);
  expect([lastSeen("m1", 0), lastSeen("m2", 0)]).toEqual([null, 1]);
});
