/* What can be chosen on the table itself, and how hand and table keep together. */
import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BEGUN, Begun } from "../../src/lib/begun";
import { prefs } from "../../src/lib/prefs.svelte";
import type { Acting, Action, Choice, Sight } from "../../src/titles/stop-the-train/types";
import { voice } from "../../src/lib/words/index.svelte";
import board from "../../src/titles/stop-the-train/board";
import { Picking } from "../../src/titles/stop-the-train/picking.svelte";
import { seen } from "../../src/titles/stop-the-train/view";

const files = import.meta.glob<{ default: Sight }>("./scenes/*.json", { eager: true });
function scene(name: string): Sight {
  const kept = files[`./scenes/${name}.json`]!.default;
  return { ...structuredClone(kept), code: "", match: name };
}

let sent: unknown[] = [];
const acting: Acting = {
  must: true,
  sending: 0,
  do: (steps) => Promise.resolve(sent.push(steps)),
  say: () => Promise.resolve(),
  preview: () => Promise.reject(new Error("none")),
  keep: () => Promise.resolve(),
};

interface Props {
  sight: Sight;
  acting: Acting | null;
  hint?: readonly Action[] | null;
  seat?: number;
}
const shown: Record<string, unknown>[] = [];
function show(part: "Table" | "Hand" | "Place", props: Props): HTMLElement {
  const target = document.body.appendChild(document.createElement("div"));
  shown.push(
    mount(board[part] as Component<Props>, { target, props, context: new Map([[BEGUN, mine]]) }),
  );
  flushSync();
  return target;
}
/** The hand and every place, as at a table; all see the same sight, which can be changed. */
function sit(name: string, hint: Action[] | null = null) {
  const props = $state({ sight: scene(name), acting: acting as Acting | null, hint });
  const hand = show("Hand", props);
  const places = props.sight.names.map((_, seat) => {
    const own = {
      get sight() {
        return props.sight;
      },
      acting,
      seat,
    };
    return show("Place", own);
  });
  return { props, hand, places };
}
const radios = (where: HTMLElement) => [...where.querySelectorAll<HTMLElement>('[role="radio"]')];
const checked = (one: HTMLElement) => one.getAttribute("aria-checked");
const button = (where: HTMLElement) => where.querySelector<HTMLElement>("button.target");
const choices = (sight: Sight) => sight.scene.question!.choices;
const seatOf = ({ do: action }: Choice) => ("seat" in action ? action.seat : -1);
const settled = () => new Promise((done) => setTimeout(done, 0));

let mine: Begun;
let picking: Picking;
beforeEach(async () => {
  mine = new Begun();
  picking = mine.of(Picking);
  sent = [];
  prefs.lang = "en";
  await voice.load("en", "stop-the-train");
});
afterEach(async () => {
  for (const one of shown.splice(0)) await unmount(one);
  document.body.innerHTML = "";
  vi.restoreAllMocks();
});

test("who can be voted for can be tapped at their place, and nobody else", () => {
  const { props, places } = sit("ballot");
  const named = choices(props.sight).map(seatOf);
  expect(places.map((one, seat) => (button(one) ? seat : -1)).filter((one) => one >= 0)).toEqual(
    named,
  );
});

test("hand and table choose for each other, and a second tap does it", async () => {
  const { props, hand, places } = sit("ballot");
  const [first, second] = choices(props.sight).map(seatOf);
  button(places[second!]!)!.click();
  flushSync();
  expect(checked(radios(hand)[1]!)).toBe("true");
  radios(hand)[0]!.click();
  flushSync();
  expect(button(places[first!]!)!.getAttribute("aria-pressed")).toBe("true");
  expect(button(places[second!]!)!.getAttribute("aria-pressed")).toBe("false");
  // A double tap is one tap.
  button(places[second!]!)!.click();
  button(places[second!]!)!.click();
  expect(sent).toEqual([]);
  const late = performance.now() + 1000;
  vi.spyOn(performance, "now").mockReturnValue(late);
  button(places[second!]!)!.click();
  await settled();
  expect(sent).toEqual([[{ do: "throw-off", seat: second }]]);
});

test("the target of an intervention lights up once its card is chosen", () => {
  const { props, hand, places } = sit("ballot");
  const kept = choices(props.sight);
  const card: Choice = {
    do: { do: "intervene", card: "rooftop-showdown" },
    line: { key: "action.intervene", args: { card: "rooftop-showdown" } },
    then: [{ do: { do: "name", seat: 0 }, line: { key: "action.name", args: { seat: 0 } } }],
  };
  const view = seen(props.sight);
  const own = { ...view.own!, cards: ["rooftop-showdown"] };
  props.sight = {
    ...props.sight,
    scene: {
      ...props.sight.scene,
      view: { ...view, own },
      question: { ...props.sight.scene.question!, choices: [...kept, card] },
    },
  };
  picking.intervene(true);
  flushSync();
  expect(places.filter(button)).toEqual([]);
  radios(hand)[0]!.click();
  flushSync();
  expect(places.filter(button)).toEqual([places[0]]);
  button(places[0]!)!.click();
  flushSync();
  expect(checked(radios(hand)[0]!)).toBe("true");
});

test("nothing can be tapped by who only looks on", () => {
  const props = { sight: scene("ballot"), acting: null, seat: 0 };
  expect(button(show("Place", props))).toBeNull();
});

// --- an open list of interventions --------------------------------------------------------------

const pass: Choice = { do: { do: "pass" }, line: { key: "action.pass" } };
const forgery: Choice = {
  do: { do: "intervene", card: "forgery" },
  line: { key: "action.intervene", args: { card: "forgery" } },
  then: [{ do: { do: "brake" }, line: { key: "action.brake" } }],
};
function asked(sight: Sight, id: number, ...all: Choice[]): Sight {
  const question = { ...sight.scene.question!, id, choices: structuredClone(all) };
  return { ...sight, scene: { ...sight.scene, question } };
}

test("the list closes when its moment has passed, and says why", () => {
  const { props, hand } = sit("window");
  props.sight = asked(props.sight, 900, pass, forgery);
  flushSync();
  picking.intervene(true);
  flushSync();
  props.sight = asked(props.sight, 901, pass);
  flushSync();
  expect(picking.intervening).toBe(false);
  expect(hand.textContent).toContain(voice.words.say("stt.late"));
});

test("a card that still has its moment stays chosen", () => {
  const { props, hand } = sit("window");
  props.sight = asked(props.sight, 900, pass, forgery);
  flushSync();
  picking.intervene(true);
  picking.tap(props.sight, acting, choices(props.sight)[1]!);
  picking.tap(props.sight, acting, choices(props.sight)[1]!.then![0]!);
  props.sight = asked(props.sight, 901, forgery, pass);
  flushSync();
  expect(picking.does(props.sight)).toEqual([forgery.do, forgery.then![0]!.do]);
  expect(checked(radios(hand)[0]!)).toBe("true");
  expect(hand.textContent).not.toContain(voice.words.say("stt.late"));
});

// --- hints --------------------------------------------------------------------------------------

test("a hint marks the card that it proposes, one of two alike", () => {
  const sight = scene("play");
  const advised = choices(sight).at(-1)!.do;
  const hand = show("Hand", { sight, acting, hint: [advised] });
  const marks = radios(hand).filter((one) =>
    one.querySelector('[aria-label="What the bot would do"]'),
  );
  expect(marks).toHaveLength(1);
  expect(marks[0]!.textContent).toContain(
    voice.words.word(`effect.${"effect" in advised ? advised.effect : ""}`),
  );
});

test("a hint to let it pass marks the button; one to intervene the way there", () => {
  const sight = asked(scene("window"), 900, pass, forgery);
  const mark = '[aria-label="What the bot would do"]';
  const first = show("Hand", { sight, acting, hint: [] });
  expect(first.querySelector(`.btn--primary ${mark}`)).not.toBeNull();
  const second = show("Hand", { sight, acting, hint: [forgery.do] });
  expect(second.querySelector(`.use ${mark}`)).not.toBeNull();
  expect(second.querySelector(`.btn--primary ${mark}`)).toBeNull();
});

test.each([3, 7])("%i cards to choose from lie side by side, or in rows", (count) => {
  const { props, hand } = sit("play");
  const effects = ["accelerate", "speed-up", "hard-brake", "hit-the-brakes"] as const;
  const others = ["maintain-speed", "apply-the-brakes", "full-speed-ahead"] as const;
  const coal = [...effects, ...others].slice(0, count);
  props.sight = {
    ...props.sight,
    scene: {
      ...props.sight.scene,
      question: {
        ...props.sight.scene.question!,
        id: 4711,
        choices: coal.map((effect) => ({
          do: { do: "coal", effect },
          line: { key: "action.coal", args: { effect } },
        })),
      },
    },
  };
  flushSync();
  expect(radios(hand)).toHaveLength(count);
  expect(hand.querySelector(".options")!.classList.contains("rows")).toBe(count > 4);
});

/** The table, told that the train has gone on. */
function departed(must: boolean): HTMLElement {
  const sight = scene("play");
  const props = $state({ sight, acting: { ...acting, must } as Acting | null, hint: null });
  const table = show("Table", props);
  const { at, speed } = seen(sight);
  const n = (sight.happened.at(-1)?.n ?? 0) + 1;
  const sets = { at: at + 2, speed };
  props.sight = {
    ...sight,
    happened: [...sight.happened, { n, events: [moved(sets)] }],
    scene: { ...sight.scene, view: { ...seen(sight), ...sets } },
  };
  flushSync();
  return table;
}
const moved = (sets: { at: number; speed: number }) => ({
  key: "event.moved" as const,
  args: { speed: sets.speed, spaces: 2 },
  sets,
});

test("a train that is told of runs, and a tap on the map ends it", () => {
  const table = departed(false);
  const skip = table.querySelector<HTMLElement>(".skip")!;
  skip.click();
  flushSync();
  expect(table.querySelector(".skip")).toBeNull();
});

test("who is asked something has the map for it while the train runs", () => {
  expect(departed(true).querySelector(".skip")).toBeNull();
});
