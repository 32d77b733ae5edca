/* The whole board from scenes of kept games: it is drawn, in every language, and sends whole choices. */
import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Replay } from "../../src/generated/protocol";
import { api } from "../../src/lib/api";
import { BEGUN, Begun } from "../../src/lib/begun";
import { LANGUAGES, prefs, type Language } from "../../src/lib/prefs.svelte";
import type { Acting, Choice, Sight } from "../../src/titles/tachite-al-tram/types";
import { voice } from "../../src/lib/words/index.svelte";
import board from "../../src/titles/tachite-al-tram/board";
import End from "../../src/titles/tachite-al-tram/End.svelte";
import { called, chartFrom, chartOf, type Chart } from "../../src/titles/tachite-al-tram/chart";
import { squareName } from "../../src/titles/tachite-al-tram/squares";
import { growth, story } from "../../src/titles/tachite-al-tram/end/story";
import { Picking } from "../../src/titles/tachite-al-tram/picking.svelte";
import { readTable } from "../../src/titles/tachite-al-tram/read";
import { seatsOf } from "../../src/titles/tachite-al-tram/seats";
import { squareOf, stageOf } from "../../src/titles/tachite-al-tram/stage";
import { facts } from "../../src/titles/tachite-al-tram/things";
import { joints, allRails } from "../../src/titles/tachite-al-tram/tiles";
import { seen } from "../../src/titles/tachite-al-tram/view";

type File = Parameters<typeof chartFrom>[0];
type Kept = Sight & { previews: Record<string, unknown>; board: File };
const files = import.meta.glob<{ default: Kept }>("./scenes/*.json", { eager: true });
const scenes = Object.fromEntries(
  Object.entries(files).map(([path, file]) => [
    path.replace(/.*\/|\.json/g, ""),
    { ...file.default, code: "", match: path },
  ]),
);

const chart = chartFrom(scenes.build!.board);

/** What the squares are called, as the server tells it with a board. */
function texts(of: Chart, lang: string): Record<string, string> {
  const found: Record<string, string> = { "board-name": called(of.name, lang) };
  for (let square = 0; square < of.kinds.length; square++) {
    const at = squareName(square);
    const name = of.kinds[square] === "waiting" ? "" : called(of.names[square], lang);
    found[`place.${at}`] = name ? `${name} (${at})` : at;
  }
  return found;
}

let sent: unknown[] = [];
function actor(kept: Kept): Acting {
  return {
    must: kept.scene.question?.must ?? false,
    sending: 0,
    do: (steps) => Promise.resolve(sent.push(steps)),
    say: (said) => Promise.resolve(sent.push(said)),
    preview: <T>(steps: unknown) => {
      const found = kept.previews[JSON.stringify(steps)];
      return found ? Promise.resolve(found as T) : Promise.reject(new Error("no preview"));
    },
    keep: (changes) => Promise.resolve(sent.push(changes)),
  };
}

let shown: Record<string, unknown> | null = null;
async function show(part: "Table" | "Hand" | "End", kept: Kept): Promise<void> {
  const acting = kept.number === null || kept.scene.result ? null : actor(kept);
  const Part = (part === "End" ? End : board[part]) as Component<{
    sight: Sight;
    acting: Acting | null;
  }>;
  shown = mount(Part, {
    target: document.body,
    props: { sight: kept, acting },
    context: new Map([[BEGUN, mine]]),
  });
  flushSync();
  await chartOf(kept);
  for (let i = 0; i < 3; i++) {
    await settled(); // then what can be reached
    flushSync();
  }
}
const settled = () => new Promise((done) => setTimeout(done, 0));
const radios = () => [...document.querySelectorAll<HTMLElement>('[role="radio"]')];
const primary = () => document.querySelector<HTMLElement>(".btn--primary")!;
async function click(what: HTMLElement): Promise<void> {
  what.click();
  flushSync();
  await settled();
  flushSync();
}

async function speak(lang: Language): Promise<void> {
  prefs.lang = lang;
  await voice.load(lang, "tachite-al-tram", texts(chart, lang));
}

let mine: Begun;
let picking: Picking;
beforeEach(async () => {
  mine = new Begun();
  picking = mine.of(Picking);
  sent = [];
  // The kept games bring their board along.
  vi.spyOn(api, "matchData").mockImplementation(<T>(match: string) =>
    Promise.resolve(Object.values(scenes).find((kept) => kept.match === match)!.board as T),
  );
  await speak("en");
});
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = null;
  document.body.innerHTML = "";
  vi.restoreAllMocks();
});

describe.each(LANGUAGES)("in %s", (lang) => {
  test.each(Object.entries(scenes))("%s has words for everything", async (_, kept) => {
    await speak(lang);
    for (const part of kept.scene.result ? (["End"] as const) : (["Hand", "Table"] as const)) {
      await show(part, kept);
      expect(document.body.innerHTML).not.toContain("⟨");
      await unmount(shown!);
      shown = null;
    }
    for (const line of [board.headline?.(kept, true)?.line, board.headline?.(kept, false)?.line])
      expect(line).not.toContain("⟨");
    for (const line of readTable(seen(kept).sent))
      expect(voice.words.say(line.key, line.args, kept.names)).not.toContain("⟨");
    for (let square = 0; square < 98; square++)
      expect(facts(kept, chart, square)).toMatch(/^[^⟨]+[.!?)]$/);
  });
});

test("every scene is recognised by what may be done", () => {
  for (const name of ["build", "move", "go", "workshop", "board", "set-down"])
    expect(stageOf(scenes[name]!.scene.question!.choices)).toBe(name);
  expect(stageOf(scenes.boars!.scene.question!.choices)).toBe("tile");
  expect(stageOf([])).toBe("idle");
});

test("a tile is chosen, then its square, then sent whole", async () => {
  const kept = scenes.build!;
  await show("Hand", kept);
  const lay = kept.scene.question!.choices.find((one) => one.do.do === "lay")!;
  const hand = seen(kept).trams[kept.number!]!.hand;
  await click(radios()[hand.indexOf("tile" in lay.do ? lay.do.tile : "")]!);
  expect(sent).toEqual([]);
  const on = lay.then![0]!;
  picking.pick(kept, on, 1);
  if (on.then?.length) picking.pick(kept, on.then[0]!, 2);
  flushSync();
  expect(primary().getAttribute("aria-disabled")).toBe("false");
  await click(primary());
  expect(sent[0]).toMatchObject([lay.do, on.do]);
});

test("every square on which a tile fits, and no other, can be tapped for it", async () => {
  const kept = scenes.build!;
  const lay = kept.scene.question!.choices.find((one) => one.do.do === "lay")!;
  picking.pick(kept, lay);
  await show("Table", { ...kept });
  // The picture needs a size that this page has not: what it would draw is known all the same.
  const squares = picking.after(kept, 1).map((one) => squareOf(one.do));
  expect(new Set(squares).size).toBe(lay.then!.length);
  const rails = allRails(seen(kept), chart);
  for (const square of squares) expect(chart.kinds[square]).toBe("grass");
  expect(squares.some((square) => joints(square, rails).length > 0)).toBe(true);
});

test("an end is chosen with its whole way", async () => {
  const kept = scenes.go!;
  await show("Hand", kept);
  expect(primary().getAttribute("aria-disabled")).toBe("true");
  expect(radios().length).toBeGreaterThan(1);
  await click(radios()[0]!);
  await click(primary());
  expect(sent).toHaveLength(1);
  const { reach } = kept.previews["[]"] as { reach: { ends: { steps: unknown }[] }[] };
  expect(reach[0]!.ends.map((end) => end.steps)).toContainEqual(sent[0]);
});

test("before rolling each number can be looked at, and nothing is sent", async () => {
  await show("Hand", scenes.move!);
  expect(radios()).toHaveLength(6);
  await click(radios()[2]!);
  expect(picking.roll).toBe(3);
  await click(radios()[2]!);
  expect(picking.roll).toBe(0);
  expect(sent).toEqual([]);
});

test("the workshop's choices are compared, and one is taken", async () => {
  await show("Hand", scenes.workshop!);
  const futiz = radios().find((one) => one.textContent.includes("Sbonfo"))!;
  expect(futiz.textContent).toContain("6 seats");
  await click(futiz);
  await click(primary());
  expect(sent).toMatchObject([[{ do: "futiz", futiz: "sbonfo" }]]);
});

test("for another Futiz it is asked who gets off, and both are sent together", async () => {
  const kept = scenes.workshop!;
  const leaves = (passenger: "lem" | "lole"): Choice => ({
    do: { do: "put-off", passenger },
    line: { key: "action.put-off", args: { passenger } },
  });
  const choices = kept.scene.question!.choices.map((choice) =>
    "futiz" in choice.do && choice.do.futiz === "sbonfo"
      ? { ...choice, then: [leaves("lem"), leaves("lole")] }
      : choice,
  );
  const question = { ...kept.scene.question!, choices };
  await show("Hand", { ...kept, scene: { ...kept.scene, question } });
  await click(radios().find((one) => one.textContent.includes("Sbonfo"))!);
  expect(primary().getAttribute("aria-disabled")).toBe("true");
  expect(radios().map((one) => one.textContent.trim())).toEqual([
    "Put off El Lem",
    "Put off El Lole",
  ]);
  await click(radios()[1]!);
  await click(primary());
  expect(sent).toMatchObject([[{ futiz: "sbonfo" }, { do: "put-off", passenger: "lole" }]]);
});

test("passengers are placed by hand as long as they are aboard", () => {
  const kept = scenes["set-down"]!;
  const seat = kept.number!;
  const { seats } = seen(kept).trams[seat]!;
  expect(seatsOf(kept, seat)).toEqual(seats);
  const turned = seats.toReversed();
  const say = (said: unknown): Kept => ({
    ...kept,
    scene: { ...kept.scene, said: [{ seat, said, line: { key: "saying.seats" } }] },
  });
  expect(seatsOf(say({ seats: turned }), seat)).toEqual(turned);
  expect(seatsOf(say({ seats: ["vecion", "vecion", "vecion", "vecion"] }), seat)).toEqual(seats);
});

test("the network grows, and loses what was torn up, washed away or taken back", () => {
  const tile = (square: string, shape: string, laid: number) => ({
    square,
    tile: shape,
    turn: 1,
    laid,
  });
  const old = tile("B3", "curve", 1);
  const step = (...delta: unknown[]) => ({ entries: 0, events: [], delta });
  const turn = (number: number, current: number) => [
    [["view", "turn"], number],
    [["view", "current"], current],
  ];
  const replay = {
    scene: { view: { turn: 1, current: 0, tiles: [] } },
    steps: [
      step(),
      step([["view", "tiles", 0], old]),
      // Bruno tears it up and lays another, Ada adds one; both are taken back.
      step(...turn(2, 1), [["view", "tiles", 0], tile("B3", "tee", 2)]),
      step(...turn(3, 0), [["view", "tiles", 1], tile("C3", "slip", 3)]),
      step(...turn(2, 1), [["view", "tiles"], [old]]),
      // He tears it up once more, then there is a landslide.
      step([["view", "tiles", 0], tile("B3", "crossing", 2)]),
      step(...turn(3, 0)),
      step(...turn(4, 1), [["view", "tiles"], []]),
    ],
  };
  const lying = growth(replay as unknown as Replay).map((tiles) =>
    tiles.map(({ shape, seat }) => [shape, seat]),
  );
  expect(lying).toEqual([[], [["curve", 0]], [["crossing", 1]], [["crossing", 1]], []]);
});

test("the story adds up to the points", () => {
  const kept = scenes["end-frenador"]!;
  const view = seen(kept);
  const { tiles, trams, turns } = story(view, kept.happened);
  trams.forEach(({ steps }, seat) => {
    expect(steps.at(-1)?.sum ?? 0).toBe(view.trams[seat]!.points);
    for (const { turn } of steps) expect(turn).toBeLessThanOrEqual(turns);
  });
  expect(tiles).toHaveLength(view.tiles.length);
  expect(tiles.every(({ seat }) => seat >= 0)).toBe(true);
  expect(tiles.map(({ laid }) => laid)).toEqual(
    tiles.map(({ laid }) => laid).sort((a, b) => a - b),
  );
});
