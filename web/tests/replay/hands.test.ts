/* Whose hands a replay lays open. */
import { beforeEach, expect, test } from "vitest";
import { hands } from "../../src/screens/replay/hands";
import { prefs } from "../../src/lib/prefs.svelte";
import type { Sight } from "../../src/lib/sight";
import { voice } from "../../src/lib/words/index.svelte";
import generic from "../../src/titles/generic/board";
import train from "../../src/titles/stop-the-train/board";
import trams from "../../src/titles/tachite-al-tram/board";
import trolley from "../../src/titles/trial-by-trolley/board";
import build from "../tachite-al-tram/scenes/build.json";

function sight(number: number | null, view: unknown): Sight {
  const names = ["Ada", "Bruno", "Zora"];
  return { title: "", code: "", match: "", names, number, scene: { view } } as unknown as Sight;
}
beforeEach(() => {
  prefs.lang = "en";
});

test("a passenger sees who they are and what they hold, a spectator nothing", async () => {
  await voice.load("en", "stop-the-train");
  const own = {
    character: "saboteur",
    cards: ["swing-vote"],
    effects: ["hard-brake", "accelerate"],
  };
  const [mine, ...others] = hands(train, sight(1, { own }), null);
  expect(others).toEqual([]);
  expect(mine!.seat).toBe(1);
  expect(mine!.role).toBe(voice.words.say("role.saboteur"));
  const piles = mine!.piles.map(({ cards }) => cards);
  const said = (keys: string[]) => keys.map((key) => voice.words.say(key));
  expect(piles).toEqual([
    said(["effect.hard-brake", "effect.accelerate"]),
    said(["card.swing-vote"]),
  ]);
  expect(hands(train, sight(null, {}), null)).toEqual([]);
});

const pleader = (team: string, ...seats: number[]) => ({
  own: { team, hands: seats.map((seat) => ({ seat, modifier: [`modifier-0${seat}`] })), dealt: [] },
});

test("a team sees all its hands; with all revealed everybody's lies there once", async () => {
  await voice.load("en", "trial-by-trolley");
  const team = hands(trolley, sight(0, pleader("north", 0, 2)), null);
  expect(team.map(({ seat }) => seat)).toEqual([0, 2]);
  const views = [pleader("north", 0, 2), pleader("south", 1), pleader("north", 0, 2)];
  const all = hands(trolley, sight(null, {}), views);
  expect(all.map(({ seat }) => seat)).toEqual([0, 1, 2]);
  expect(all[1]!.piles[2]!.cards).toEqual(["Modifier 01"]);
  // The Conductor holds nothing.
  expect(hands(trolley, sight(null, {}), [{}, ...views.slice(1)]).map(({ seat }) => seat)).toEqual([
    1, 2,
  ]);
});

test("what drivers hold lies open to all", async () => {
  await voice.load("en", "tachite-al-tram");
  const { view } = build.scene;
  const all = hands(trams, sight(null, view), null);
  expect(all.map(({ seat }) => seat)).toEqual([0, 1, 2]);
  expect(all[1]!.piles.map(({ cards }) => cards)).toEqual([
    ["curve", "double curve", "curve"],
    ["San Giusto’s blessing"],
  ]);
  expect(hands(trams, sight(null, view), [view, view, view])).toEqual(all);
});

test("a title that does not say so has none", () => {
  expect(hands(generic, sight(0, {}), null)).toEqual([]);
});
