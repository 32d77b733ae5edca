/* A card that was turned over tells what came of it: for whom, and where. */
import { expect, it } from "vitest";
import { mishap } from "../../src/titles/tachite-al-tram/mishap";
import { Mishaps } from "../../src/titles/tachite-al-tram/mishaps.svelte";
import type { Happened, Sight } from "../../src/titles/tachite-al-tram/types";

type Event = Happened["events"][number];

const drove = (seat: number, at: string): Event => ({
  key: "event.moved",
  args: { seat, path: [at], at },
  sets: { [`trams.${seat}.square` as "trams.0.square"]: at },
});
const turn = (seat: number): Event => ({ key: "event.turn", args: { round: 3, seat } });
const card = (id: "bora" | "spritz" | "boars", seat = 2): Event => ({
  key: "event.misfortune",
  args: { seat, card: id },
});
const carried = (seat: number, at: string): Event => ({ key: "event.carried", args: { seat, at } });
const repaired = (seat: number, damage: number): Event => ({
  key: "event.repaired",
  args: { seat, damage },
});
const frames = (...all: Event[][]): Happened[] => all.map((events, at) => ({ n: at + 1, events }));
const sight = (happened: Happened[], number: number | null = 0) =>
  ({ happened, number }) as unknown as Sight;

it("tells who was where and is where, and not what came before it", () => {
  const found = mishap(
    frames(
      [drove(0, "D5")],
      [drove(1, "E8"), card("bora"), carried(0, "D4"), carried(1, "E7"), turn(0)],
    ),
  )!;
  expect([found.id, found.seat, found.n, found.good]).toEqual(["bora", 2, 2, false]);
  expect(found.effects.map(({ seat, tag, good }) => [seat, tag, good])).toEqual([
    [0, "D5 → D4", false],
    [1, "E8 → E7", false],
  ]);
});

it("good news is good news", () => {
  const found = mishap(frames([drove(0, "D5")], [card("spritz"), repaired(0, 1)]))!;
  expect([found.good, found.effects[0]!.good, found.effects[0]!.tag]).toEqual([true, true, "1/3"]);
});

it("who changes trams is missed by one and welcome to the other", () => {
  const handed: Event = { key: "event.handed", args: { passenger: "lole", seat: 0, other: 1 } };
  const found = mishap(frames([card("bora"), handed]))!;
  expect(found.effects.map(({ seat, tag, good }) => [seat, tag, good])).toEqual([
    [1, "+1", true],
    [0, "−1", false],
  ]);
});

it("what is chosen for it later belongs to it; the next turn does not", () => {
  const gone: Event = { key: "event.tile-gone", args: { square: "C3", tile: "curve" } };
  const found = mishap(frames([card("boars")], [gone, turn(0)], [repaired(0, 0)]))!;
  expect(found.effects.map(({ seat, tag }) => [seat, tag])).toEqual([[null, "C3"]]);
});

it("lies open for who came before it, until they have read it", () => {
  const mishaps = new Mishaps();
  const before = frames([card("bora", 1), turn(2)]);
  mishaps.begin(sight(before));
  expect(mishaps.shown(sight(before), false)).toBeNull();
  const now = [...before, { n: 2, events: [card("bora", 0), turn(1), turn(2), turn(0)] }];
  mishaps.begin(sight(now)); // the other part of the table begins later
  expect(mishaps.shown(sight(now), true)?.n).toBe(2);
  mishaps.put(2);
  expect(mishaps.shown(sight(now), true)).toBeNull();
});

it("who is not concerned sees it until they are asked something, or the next turn is over", () => {
  const mishaps = new Mishaps();
  mishaps.begin(sight([]));
  const others = frames([card("bora"), carried(1, "E7"), turn(0)]);
  expect(mishaps.shown(sight(others), false)).not.toBeNull();
  expect(mishaps.shown(sight(others), true)).toBeNull();
  expect(mishaps.shown(sight([...others, { n: 2, events: [turn(1)] }]), false)).toBeNull();
  // Whom it hits sees it for longer.
  expect(mishaps.shown(sight(others, 1), true)).not.toBeNull();
});
