/* After one's turn: the truth takes as many taps as any other story, and none is proposed. */
import { expect, it } from "vitest";
import type { PastTurn } from "../../src/generated/stop-the-train";
import { missing, Story } from "../../src/titles/stop-the-train/story.svelte";
import type { Sight } from "../../src/titles/stop-the-train/types";

const files = import.meta.glob<{ default: Sight }>("./scenes/*.json", { eager: true });

/** A table whose last turn is this. */
function table(turn: PastTurn, more: Partial<Sight> = {}): Sight {
  const kept = structuredClone(files["./scenes/off.json"]!.default);
  const view = {
    ...kept.scene.view,
    step: "discard",
    beneath: [],
    turns: [turn],
  };
  return { ...kept, code: "ABCDEF", number: 0, scene: { ...kept.scene, view, said: [] }, ...more };
}

const drew = {
  drawer: 0,
  current: 1,
  effect: "accelerate",
  drew: ["accelerate", "theft", "hard-brake"],
  passed: ["accelerate", "theft"],
  discarded: ["hard-brake"],
};
const got = { ...drew, drawer: 1, current: 0 };

function told(sight: Sight, ...cards: string[]) {
  const story = new Story();
  const about = story.about(sight)!;
  story.begin(about);
  expect(story.named).toEqual([]);
  for (const card of cards) story.name(card, about);
  return { story, about, taps: missing(about), claim: story.claim(about) };
}

it("who was handed cards names the other one, true or not", () => {
  const truth = told(table(got), "theft");
  const lie = told(table(got), "speed-up");
  expect(truth.claim).toEqual({ turn: 1, received: ["accelerate", "theft"] });
  expect(lie.claim).toEqual({ turn: 1, received: ["accelerate", "speed-up"] });
  expect([truth.taps, lie.taps]).toEqual([1, 1]);
});

it("who drew names what else was passed on, and what was discarded", () => {
  expect(told(table(drew), "speed-up").claim).toBeNull();
  const { claim, taps } = told(table(drew), "speed-up", "theft", "theft");
  expect(claim).toEqual({
    turn: 1,
    drew: ["accelerate", "speed-up", "theft"],
    discarded: ["theft"],
  });
  expect(taps).toBe(2);
  const gun = told(table({ ...drew, gun: true }), "theft", "theft");
  expect(gun.claim).toEqual({
    turn: 1,
    drew: ["accelerate", "theft", "theft"],
    discarded: ["theft", "theft"],
  });
});

it("is asked once, of whose turn it was, and not in a lesson", () => {
  const { story, about } = told(table(got));
  story.keepSilent(about);
  expect(story.about(table(got))).toBeNull();
  expect(new Story().about(table({ ...got, current: 2 }))).toBeNull();
  expect(new Story().about(table(got, { code: "" }))).toBeNull();
  const sight = table(got);
  const line = { key: "saying.received", args: {} };
  const said = [{ seat: 0, said: { claim: { turn: 1, received: [] } }, line }];
  const spoken = { ...sight, scene: { ...sight.scene, said } };
  expect(new Story().about(spoken)).toBeNull();
});

it("what was begun about one turn is nothing about the next", () => {
  const { story, about } = told(table(got), "theft");
  story.begin({ ...about, turn: 2 });
  expect(story.named).toEqual([]);
});
