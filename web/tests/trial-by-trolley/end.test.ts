/* How it went for everybody, as the rounds tell it. */
import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, beforeAll, expect, test } from "vitest";
import { voice } from "../../src/lib/words/index.svelte";
import End from "../../src/titles/trial-by-trolley/End.svelte";
import { worst } from "../../src/titles/trial-by-trolley/end/picture";
import { ways } from "../../src/titles/trial-by-trolley/end/ways";
import type { Sight } from "../../src/titles/trial-by-trolley/types";
import type { PastRound, Place } from "../../src/titles/trial-by-trolley/view";

const place = (card: string, ...modifiers: string[]): Place => ({
  card,
  modifiers: modifiers.map((one) => ({ card: one, by: 1 })),
});
const round = (conductor: number, taken: string, ...teams: number[][]): PastRound => ({
  conductor,
  taken,
  teams,
  north: [place("nun")],
  south: [place("bees", "with-cake")],
});
/** Five players, everybody Conductor once. */
const past = [
  round(0, "north", [1, 2], [3, 4]),
  round(1, "south", [0, 2], [3, 4]),
  round(2, "north", [0, 1], [3, 4]),
  round(3, "south", [0, 1], [2, 4]),
  round(4, "south", [0, 1], [2, 3]),
];
const tokens = [1, 2, 3, 2, 2];

let shown: Record<string, unknown> | null = null;
beforeAll(() => voice.load("en", "trial-by-trolley"));
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = null;
  document.body.innerHTML = "";
});

test("each way is one's own", () => {
  expect(ways({ past }, 5)).toEqual([
    { seat: 0, died: [3], drove: [1] },
    { seat: 1, died: [1, 3], drove: [2] },
    { seat: 2, died: [1, 4, 5], drove: [3] },
    { seat: 3, died: [2, 5], drove: [4] },
    { seat: 4, died: [2, 4], drove: [5] },
  ]);
});

test("everybody has a line of their own, and why it was won stands there once", () => {
  const sight = {
    title: "trial-by-trolley",
    code: "ABCDEF",
    match: "m1",
    names: ["Ada", "Bruno", "Carla", "Dora", "Ezio"],
    number: 2,
    happened: [],
    own: null,
    scene: {
      view: { rounds: 5, past, tokens },
      result: {
        ending: "everybody-drove",
        outcomes: tokens.map((count) => ({ won: count === 1, reasons: [] })),
      },
    },
  } as unknown as Sight;
  shown = mount(End as Component<{ sight: Sight; acting: null }>, {
    target: document.body,
    props: { sight, acting: null },
  });
  flushSync();
  const said = [...document.querySelectorAll(".cast li span")].map((one) =>
    one.textContent?.replace(/\s+/g, " ").trim(),
  );
  expect(said).toHaveLength(5);
  expect(new Set(said).size).toBe(5);
  expect(said[0]).toBe("Run over in round 3. Held the lever in round 1.");
  const page = document.body.textContent ?? "";
  expect(page).toContain("You lost");
  expect(page.match(/because you have more death tokens than Ada: 3 to 1\./g)).toHaveLength(1);
});

test("the picture shows the verdict on which most hung", () => {
  expect(worst(past)).toBe(1);
});
