import { beforeEach, describe, expect, test } from "vitest";
import type { Sight } from "../../src/titles/stop-the-train/types";
import { clock, floor, talk, talkers } from "../../src/titles/stop-the-train/talk.svelte";
import type { TrainView } from "../../src/titles/stop-the-train/view";
import kept from "./scenes/talk.json";

function meeting(players: string[], changes: Partial<TrainView> = {}, match = "m"): Sight {
  const scene = { ...kept.scene, players, view: { ...kept.scene.view, ...changes } };
  return { ...kept, code: "", match, scene } as unknown as Sight;
}
const many = kept.names.length;
const people = Array.from({ length: many }, () => "person");
const bots = people.map((one, seat) => (seat < 1 ? one : "bot"));
/** The same, before the meeting. */
const before = (sight: Sight) =>
  ({
    ...sight,
    scene: {
      ...sight.scene,
      view: { ...(sight.scene.view as TrainView), step: "draw", beneath: [] },
    },
  }) as Sight;

beforeEach(() => sessionStorage.clear());

describe("who talks", () => {
  test("people on board, from the left of the current player", () => {
    const sight = meeting(people);
    const view = sight.scene.view as TrainView;
    expect(talkers(sight)[0]).toBe((view.current + 1) % many);
    expect(talkers(sight)).toHaveLength(
      view.players.filter((one) => one.status === "aboard").length,
    );
  });
  test("nobody has to listen to bots", () => {
    expect(talkers(meeting(bots))).toEqual([]);
  });
  test("until somebody has voted", () => {
    const voted = { ballots: people.map((_, seat) => (seat ? -1 : 1)) };
    const changes = { step: "ballot", meeting: voted } as Partial<TrainView>;
    expect(talkers(meeting(people, changes))).toEqual([]);
  });
});

test("everybody has the same part of the time", () => {
  const minute = 60_000;
  expect(floor([3, 0, 2], 3, 0)).toEqual({ seat: 3, own: minute, all: 3 * minute });
  expect(floor([3, 0, 2], 3, minute + 1000)).toMatchObject({ seat: 0, own: minute - 1000 });
  expect(floor([3, 0, 2], 3, 9 * minute)).toMatchObject({ seat: -1, all: 0 });
});

test("a clock as one reads it", () => {
  expect([clock(300_000), clock(59_001), clock(0)]).toEqual(["5:00", "1:00", "0:00"]);
});

describe("since when", () => {
  test("from the moment that a page saw it begin, also after a reload", () => {
    const sight = meeting(people, {}, "seen");
    talk.watch(before(sight), true);
    talk.watch(sight, false);
    const now = Date.now();
    expect(talk.past(sight, now + 5000)).toBeGreaterThanOrEqual(5000);
    talk.watch(before(sight), false); // as good as another page
    talk.watch(sight, true);
    expect(talk.past(sight, now + 5000)).toBeGreaterThanOrEqual(5000);
  });
  test("a page that came later does not pretend to know", () => {
    const sight = meeting(people, {}, "late");
    talk.watch(sight, true);
    expect(talk.past(sight, Date.now())).toBeNull();
  });
});
