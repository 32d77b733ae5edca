/* What the board of Trial by Trolley makes of a view and of what was told. */
import { describe, expect, test } from "vitest";
import type { Happened } from "../../src/titles/trial-by-trolley/types";
import { at, NOTCH, pullAt, sideAt } from "../../src/titles/trial-by-trolley/lever";
import { pleaLines, reasonLines } from "../../src/titles/trial-by-trolley/lines";
import { readOwn, readTable } from "../../src/titles/trial-by-trolley/read";
import { gone, hits } from "../../src/titles/trial-by-trolley/run.svelte";
import { half, way } from "../../src/titles/trial-by-trolley/scene/ground";
import {
  chosen,
  coming,
  dead,
  fates,
  pointed,
  sideOf,
  standing,
  tellings,
  toll,
  type PastRound,
  type Place,
  type TrolleyView,
} from "../../src/titles/trial-by-trolley/view";
import { bare } from "../../src/titles/trial-by-trolley/words";

const place = (card: string, ...modifiers: string[]): Place => ({
  card,
  modifiers: modifiers.map((one) => ({ card: one, by: 1 })),
});

function view(changes: Partial<TrolleyView> = {}): TrolleyView {
  return {
    viewer: 1,
    round: 0,
    rounds: 5,
    phase: "innocent",
    conductor: 0,
    teams: [
      { players: [1, 2], innocent: 1, guilty: 2, track: [place("nun")], ready: false },
      { players: [3, 4], innocent: 4, guilty: 3, track: [place("bees")], ready: true },
    ],
    tokens: [0, 1, 0, 0, 2],
    held: [],
    pack: [],
    decks: [
      { left: 9, discarded: 1, shuffles: 1, known: [] },
      { left: 8, discarded: 2, shuffles: 1, known: [] },
      { left: 7, discarded: 3, shuffles: 1, known: [] },
    ],
    queue: [2, 4],
    extensions: 0,
    talk_minutes: 3,
    tom_trolley: false,
    accomplices: false,
    past: [],
    own: {
      team: "north",
      hands: [{ seat: 1, innocent: ["a", "b", "c"] }],
      dealt: [],
      choice: 1,
    },
    ...changes,
  };
}

const past = (taken: string, north: Place[], south: Place[]): PastRound => ({
  conductor: 0,
  taken,
  teams: [[1, 2], [3]],
  north,
  south,
});

describe("the tracks", () => {
  test("the first card is chance's, the second the team's own, the last the other team's", () => {
    const seen = view();
    seen.teams[0]!.track = [place("nun"), place("mime", "hat"), place("thief")];
    const cards = standing(seen.teams, 0);
    expect(cards.map(({ deck, by }) => [deck, by])).toEqual([
      ["innocent", -1],
      ["innocent", 1],
      ["guilty", 3],
    ]);
    expect(cards[1]!.modifiers).toEqual([{ card: "hat", by: 1 }]);
  });

  test("who chooses what comes next, and whether it lies there face down", () => {
    expect(coming(view(), 0)).toEqual({ deck: "innocent", by: 1, ready: false });
    expect(coming(view(), 1)).toEqual({ deck: "innocent", by: 4, ready: true });
    // A Guilty card comes from across.
    expect(coming(view({ phase: "guilty" }), 0)).toEqual({ deck: "guilty", by: 3, ready: true });
    expect(coming(view({ phase: "plea" }), 0)).toBeNull();
  });

  test("the own team's choice is shown where it will lie, and nobody else's", () => {
    expect(chosen(view(), 0)).toBe("b");
    expect(chosen(view(), 1)).toBe("");
    const guilty = view({ phase: "guilty" });
    guilty.own!.hands = [{ seat: 2, guilty: ["x", "y", "z"] }];
    expect([chosen(guilty, 0), chosen(guilty, 1)]).toEqual(["", "y"]);
    expect(chosen(view({ own: null }), 0)).toBe("");
  });

  test("sides", () => {
    const { teams } = view();
    expect([0, 2, 3, null].map((seat) => sideOf(teams, seat))).toEqual(["", "north", "south", ""]);
  });
});

describe("what was said", () => {
  const told = (...events: [string, Record<string, unknown>?][]): Happened[] =>
    events.map(([key, args], n) => ({ n, events: [{ key, args } as Happened["events"][0]] }));

  test("pleas belong to their round, a reason to the verdict before it", () => {
    const rounds = tellings(
      told(
        ["event.round", { seat: 0 }],
        ["saying.point", { seat: 1, modifier: "hat", thing: "the mime" }],
        ["saying.point", { seat: 1, modifier: "hat", thing: "the door" }],
        ["plea.save", { seat: 1, card: "nun" }],
        ["saying.rest", { seat: 2 }],
        ["event.verdict", { seat: 0 }],
        ["event.round", { seat: 1 }],
        ["verdict.coin", { seat: 0 }],
        ["saying.plea", { seat: 4, text: "Mercy!" }],
      ),
    );
    expect(rounds.map((one) => one.pleas.map((plea) => plea.seat))).toEqual([[1, 2], [4]]);
    expect(rounds.map((one) => one.reasons.length)).toEqual([1, 0]);
    // The last word counts.
    expect(pointed(rounds[0]!.points).get("hat")!.args.thing).toBe("the door");
  });

  test("a ready-made line without its name and quotation marks, in each language", () => {
    expect(bare(": “Have mercy on ‘a nun’. Please.”")).toBe("Have mercy on ‘a nun’. Please.");
    expect(bare(": „Gnade für ‚eine Nonne‘.“")).toBe("Gnade für ‚eine Nonne‘.");
    expect(bare(": «Pietà per “una suora”»")).toBe("Pietà per “una suora”");
    expect(bare(": «Pietà per “una suora”. Grazie».")).toBe("Pietà per “una suora”. Grazie.");
    expect(bare("no marks")).toBe("no marks");
  });

  test("ready-made pleas praise one's own and blame the others, with as many cards as they need", () => {
    const seen = view();
    seen.teams[0]!.track = [place("nun"), place("mime"), place("thief")];
    seen.teams[1]!.track = [place("bees"), place("dog"), place("landlord")];
    const lines = Object.fromEntries(
      pleaLines(seen, "north").map(({ line, cards }) => [line, cards]),
    );
    expect(lines["plea.save"]).toEqual(["mime"]);
    expect(lines["plea.them"]).toEqual(["landlord"]);
    expect(lines["plea.choose"]).toEqual(["mime", "landlord"]);
    expect(Object.keys(lines)).toHaveLength(8);
    expect(reasonLines(seen)).toEqual([]);
    seen.past = [past("south", [place("nun")], [place("bees"), place("landlord")])];
    expect(reasonLines(seen)[0]).toEqual({ line: "verdict.harm", cards: ["landlord"] });
  });

  test("the table read aloud names every card and every token, and hands only if asked", () => {
    const keys = readTable(view()).map((line) => line.key);
    expect(keys.filter((key) => key === "read.card")).toHaveLength(2);
    expect(keys.filter((key) => key === "read.tokens")).toHaveLength(5);
    expect(keys).not.toContain("read.hand");
    expect(readOwn(view()).map((line) => line.key)).toEqual(["read.team", "read.hand"]);
    expect(readOwn(view({ own: null }))).toEqual([]);
  });
});

describe("the toll", () => {
  const rounds = [
    past("north", [place("nun", "hat"), place("mime")], [place("bees")]),
    past("south", [place("nun")], [place("dog", "hat", "cape")]),
    past("north", [place("nun")], [place("dog")]),
  ];

  test("who died when", () => {
    expect(dead(rounds[0]!)).toEqual([1, 2]);
    expect(toll(rounds, 4)).toEqual([
      [0, 1, 1, 0],
      [0, 1, 1, 1],
      [0, 2, 2, 1],
    ]);
  });

  test("the cards that fared worst and best: by how often, then by what hung on them", () => {
    const [killed] = fates(rounds, true);
    expect(killed).toMatchObject({ card: "nun", times: 2, people: 4, modifiers: ["hat"] });
    expect(fates(rounds, true)[1]).toMatchObject({ card: "dog", times: 1 });
    // Each was spared once, with nothing on it: company decides.
    expect(fates(rounds, false)[0]).toMatchObject({ card: "nun", people: 2 });
    expect(fates([], true)).toEqual([]);
  });

  test("a card may be called what every object knows", () => {
    const [killed] = fates([past("north", [place("constructor", "constructor")], [])], true);
    expect(killed).toMatchObject({ card: "constructor", times: 1, modifiers: ["constructor"] });
    expect(pointed([]).get("constructor")).toBe(undefined);
  });
});

describe("the lever", () => {
  const foot = { x: 100, y: 200 };

  test.each([true, false])("follows the hand (upright: %s)", (upright) => {
    for (const pull of [-1, -0.5, 0, 0.3, 0.9])
      expect(pullAt(at(pull, 142, foot, upright), foot, upright)).toBeCloseTo(pull);
    // No further than it goes.
    expect(pullAt(at(1.6, 142, foot, upright), foot, upright)).toBe(1);
  });

  test("has judged only past its notch", () => {
    expect(sideAt(NOTCH - 0.01)).toBe("");
    expect(sideAt(-NOTCH)).toBe("north");
    expect(sideAt(1)).toBe("south");
  });

  test("the half that it leans towards fills as it is pulled", () => {
    expect(half(390, 500, -1, 0)).toBe("");
    expect(half(390, 500, -1, 1)).toBe(half(390, 500, -1, NOTCH));
    expect(half(390, 500, -1, 0.3)).not.toBe(half(390, 500, -1, 0.4));
    expect(half(1000, 600, 320, -1)).toBe("M0 0V323L1000 317V0z");
  });
});

describe("the run", () => {
  test("cards fall one by one, and all have fallen at the end", () => {
    const fallen = (far: number) => [0, 1, 2].filter((one) => hits(far, one, 3)).length;
    expect([0, 0.4, 0.6, 0.8, 1].map(fallen)).toEqual([0, 1, 2, 3, 3]);
    expect([gone(0), gone(1)]).toEqual([0, 1]);
  });

  test("rails run down two columns, or along two rows", () => {
    const frame = { width: 400, height: 500, head: 120, tracks: [150, 450] as const };
    expect(way({ ...frame, wide: false }, 0)).toMatch(/100 160V560$/);
    expect(way({ ...frame, wide: false }, 1)).toMatch(/300 160V560$/);
    expect(way({ ...frame, wide: true }, 1)).toMatch(/450H420$/);
  });
});
