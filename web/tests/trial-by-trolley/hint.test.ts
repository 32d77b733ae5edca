/* A hint is marked on what it would choose: a card, where a Modifier hangs, a button, a plate of the lever. */
import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BEGUN, Begun } from "../../src/lib/begun";
import { prefs } from "../../src/lib/prefs.svelte";
import type {
  Acting,
  Action,
  BoardProps,
  Choice,
  Sight,
} from "../../src/titles/trial-by-trolley/types";
import { voice } from "../../src/lib/words/index.svelte";
import board from "../../src/titles/trial-by-trolley/board";
import { Picking } from "../../src/titles/trial-by-trolley/picking.svelte";
import { SIDES, type Deck, type TrolleyView } from "../../src/titles/trial-by-trolley/view";

const acting: Acting = {
  must: true,
  sending: 0,
  do: () => Promise.resolve(),
  say: () => Promise.resolve(),
  preview: () => Promise.reject(new Error("none")),
  keep: () => Promise.resolve(),
};

const HANDS: Record<string, string[]> = {
  innocent: ["innocent-01", "innocent-02", "innocent-03"],
  guilty: ["guilty-01", "guilty-02", "guilty-03"],
  modifier: ["modifier-01", "modifier-02", "modifier-03"],
};

function sight(phase: string, conductor: number, choices: Choice[]): Sight {
  const track = (from: number) =>
    [0, 1, 2].map((at) => ({
      card: at < 2 ? `innocent-${from + at}` : `guilty-${from}`,
      modifiers: [],
    }));
  const view: TrolleyView = {
    viewer: 1,
    round: 0,
    rounds: 6,
    phase,
    conductor,
    teams: [
      { players: [1], innocent: 1, guilty: 1, track: track(10), ready: false },
      { players: [2], innocent: 2, guilty: 2, track: track(20), ready: false },
    ],
    tokens: [0, 0, 0],
    held: [],
    pack: [],
    decks: [],
    queue: [1],
    extensions: 0,
    talk_minutes: 0,
    tom_trolley: false,
    accomplices: false,
    past: [],
    own:
      conductor === 1
        ? null
        : { team: "north", hands: [{ seat: 1, ...HANDS }], dealt: [], choice: -1 },
  };
  return {
    title: "trial-by-trolley",
    code: "",
    match: "hint",
    names: ["Zora", "Ada", "Bruno"],
    number: 1,
    scene: {
      view,
      awaited: { seats: [1] },
      players: ["bot", "person", "bot"],
      result: null,
      question: { id: ++asked, must: true, undo: 0, choices },
    },
    happened: [],
    own: null,
  } as unknown as Sight;
}
let asked = 0;

const choice = (action: Action, then?: Choice[]): Choice => ({
  do: action,
  line: { key: "action.decline" },
  ...(then ? { then } : {}),
});
const cards = (deck: Deck) => [0, 1, 2].map((place) => choice({ do: deck, place }));
const spots = SIDES.flatMap((track) =>
  [0, 1, 2].map((place) => choice({ do: "on", track, place })),
);
const modifiers = [0, 1, 2].map((place) => choice({ do: "modifier", place }, spots));

const shown: Record<string, unknown>[] = [];
function show(part: "Table" | "Hand", props: BoardProps): HTMLElement {
  const target = document.body.appendChild(document.createElement("div"));
  shown.push(
    mount(board[part] as unknown as Component<BoardProps>, {
      target,
      props,
      context: new Map([[BEGUN, mine]]),
    }),
  );
  flushSync();
  return target;
}
const marks = (where: HTMLElement) => [
  ...where.querySelectorAll<HTMLElement>('[aria-label="What the bot would do"]'),
];
const radios = (where: HTMLElement, group: string) => [
  ...where.querySelectorAll<HTMLElement>(`${group} [role="radio"]`),
];

let mine: Begun;
let picking: Picking;
beforeEach(async () => {
  mine = new Begun();
  picking = mine.of(Picking);
  prefs.lang = "en";
  await voice.load("en", "trial-by-trolley");
});
afterEach(async () => {
  for (const one of shown.splice(0)) await unmount(one);
  document.body.innerHTML = "";
});

test.each(["innocent", "guilty"] as const)("the %s card that the bot would choose", (deck) => {
  const seen = sight(deck, 0, cards(deck));
  const hand = show("Hand", { sight: seen, acting, hint: [{ do: deck, place: 1 }] });
  expect(marks(hand)).toHaveLength(1);
  expect(radios(hand, ".fan")[1]!.contains(marks(hand)[0]!)).toBe(true);
  // Chosen, it is still the one; what lies covered shows nothing of it.
  radios(hand, ".fan")[1]!.click();
  flushSync();
  expect(marks(hand)).toHaveLength(1);
  picking.covered = true;
  flushSync();
  expect(marks(hand)).toEqual([]);
});

test("a Modifier, and then the card that it would hang on, in the hand and on the track", () => {
  const props: BoardProps = {
    sight: sight("modifier", 0, modifiers),
    acting,
    hint: [
      { do: "modifier", place: 2 },
      { do: "on", track: "south", place: 1 },
    ],
  };
  const [hand, table] = [show("Hand", props), show("Table", props)];
  expect(radios(hand, ".fan")[2]!.contains(marks(hand)[0]!)).toBe(true);
  expect(marks(table)).toEqual([]);
  radios(hand, ".fan")[2]!.click();
  flushSync();
  expect(marks(hand)).toHaveLength(1);
  expect(radios(hand, ".spots")[4]!.contains(marks(hand)[0]!)).toBe(true);
  expect(marks(table)).toHaveLength(1);
  expect(table.querySelectorAll(".south .card")[1]!.contains(marks(table)[0]!)).toBe(true);
  // Whoever takes another Modifier goes a way of their own.
  picking.pick(props.sight, modifiers[0]!, 0);
  flushSync();
  expect([...marks(hand), ...marks(table)]).toEqual([]);
});

test("to lay no Modifier at all", () => {
  const seen = sight("modifier", 0, [...modifiers, choice({ do: "decline" })]);
  const hand = show("Hand", { sight: seen, acting, hint: [{ do: "decline" }] });
  expect(marks(hand)).toHaveLength(1);
  expect(marks(hand)[0]!.closest("button")!.textContent).toContain(voice.words.say("tbt.decline"));
});

test.each(["extend", "close"] as const)("what the Conductor does about the time: %s", (what) => {
  const seen = sight("plea", 1, [choice({ do: "extend" }), choice({ do: "close" })]);
  const hand = show("Hand", { sight: seen, acting, hint: [{ do: what }] });
  expect(marks(hand)).toHaveLength(1);
  const primary = marks(hand)[0]!.closest("button")!.classList.contains("btn--primary");
  expect(primary).toBe(what === "close");
});

test.each(SIDES)("where the lever would be pulled: %s", (track) => {
  const tracks = SIDES.map((one) => choice({ do: "verdict", track: one }));
  const hint: Action[] = [{ do: "verdict", track }];
  const props = { sight: sight("verdict", 1, tracks), acting, hint };
  const [hand, table] = [show("Hand", props), show("Table", props)];
  expect(marks(hand)).toHaveLength(1);
  const side = voice.words.say(`tbt.side.${track}`);
  expect(marks(hand)[0]!.closest("button")!.textContent).toContain(side);
  expect(marks(table)).toHaveLength(1);
  expect(table.querySelector(`.side.${track}`)!.contains(marks(table)[0]!)).toBe(true);
});

test("without a hint, or for who only looks on, there is no mark", () => {
  const seen = sight("innocent", 0, cards("innocent"));
  const hint: Action[] = [{ do: "innocent", place: 1 }];
  expect(marks(show("Hand", { sight: seen, acting, hint: null }))).toEqual([]);
  expect(marks(show("Hand", { sight: seen, acting: null, hint }))).toEqual([]);
});
