/* What a title adds may fail, each thing by itself: the rest of the table stays, and can be used. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Seat } from "../../src/lib/seat.svelte";
import type { Sight } from "../../src/lib/sight";
import { say, voice } from "../../src/lib/words/index.svelte";
import Shell from "../../src/screens/table/Shell.svelte";
import type { Board } from "../../src/titles";
import Part from "./Part.svelte";

const files = import.meta.glob<{ default: Sight }>("../stop-the-train/scenes/*.json", {
  eager: true,
});
const scene = (name: string) =>
  structuredClone(files[`../stop-the-train/scenes/${name}.json`]!.default);

/** Which part fails now. */
const failing = $state({ name: "" });
const may = (name: string) => {
  if (failing.name === name) throw new Error(`${name} fails`);
};
const part = (name: string) =>
  ((anchor: never, props: object) => Part(anchor, { ...props, name, may })) as never;

const board: Board = {
  sound: () => (may("sound"), null),
  headline: () => (may("headline"), { line: "The headline" }),
  figure: () => (may("figure"), { number: 14, label: "turns" }),
  Mark: part("Mark"),
  Table: part("Table"),
  Hand: part("Hand"),
  Place: part("Place"),
  end: () => Promise.resolve({ End: part("End") }),
  drawers: [
    {
      id: "one",
      label: "One",
      icon: "card",
      content: part("drawer"),
      count: () => (may("count"), 3),
    },
  ],
};

const seat = {
  link: "open",
  number: 0,
  team: [],
  must: true,
  hinted: null,
  chat: [],
  status: null,
  room: null,
  seat: 0,
} as unknown as Seat;

let shown: Record<string, unknown> | undefined;
const reported: unknown[] = [];

function sit(name = "play"): HTMLElement {
  const target = document.body.appendChild(document.createElement("div"));
  // Nothing is told: a player's mark is nowhere but among the players.
  const sight = { ...scene(name), code: "ABCDEF", match: "m1", happened: [] };
  shown = mount(Shell, { target, props: { seat, sight, acting: null, board, looking: false } });
  flushSync();
  return target;
}

beforeAll(() => voice.load("en", ""));
beforeEach(() => {
  failing.name = "";
  reported.length = 0;
  vi.stubGlobal("reportError", (error: unknown) => reported.push(error));
});
afterEach(() => {
  if (shown) void unmount(shown);
  shown = undefined;
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

const PARTS = ["Table", "Hand", "Place", "Mark", "drawer"];
const seen = (target: HTMLElement) =>
  PARTS.filter((name) => target.querySelector(`[data-part="${name}"]`));

describe("a table one part of which fails", () => {
  it.each(PARTS)("%s: the others stand, and it can be tried again", (name) => {
    failing.name = name;
    const target = sit();
    const gone = name === "Mark" || name === "Place" ? ["Mark", "Place"] : [name];
    expect(seen(target)).toEqual(PARTS.filter((one) => !gone.includes(one)));
    expect(target.textContent).toContain("The headline");
    expect(target.textContent).toContain(say("part.broken"));
    expect(reported).toEqual([new Error(`${name} fails`)]);
    failing.name = "";
    const again = [...target.querySelectorAll("button")].find(
      (one) => one.textContent === say("part.retry"),
    )!;
    again.click();
    flushSync();
    expect(seen(target)).toEqual(PARTS);
    expect(target.textContent).not.toContain(say("part.broken"));
  });

  it.each(PARTS)("%s, in the middle of a match", (name) => {
    const target = sit();
    expect(seen(target)).toEqual(PARTS);
    failing.name = name;
    flushSync();
    expect(seen(target)).not.toContain(name);
    expect(seen(target)).toContain(name === "Hand" ? "Table" : "Hand");
  });

  it.each(["headline", "figure", "count", "sound"])("%s: all stands", (name) => {
    failing.name = name;
    const target = sit();
    expect(seen(target)).toEqual(PARTS);
    expect(target.textContent).not.toContain(say("part.broken"));
    expect(target.textContent?.includes("The headline")).toBe(name !== "headline");
    expect(reported[0]).toEqual(new Error(`${name} fails`));
  });

  it("End: one can still look at the table, or leave", async () => {
    failing.name = "End";
    const target = sit("end");
    await vi.waitFor(() => expect(target.textContent).toContain(say("part.broken")));
    expect(target.textContent).toContain(say("shell.look"));
    expect(target.textContent).toContain(say("shell.leave"));
  });
});
