/* Notes on two devices: each shows what the other wrote, of neither anything is lost, and what could not be
   kept is said. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Refused } from "../../src/lib/refused";
import type { Acting, Sight } from "../../src/titles/stop-the-train/types";
import { tell, voice } from "../../src/lib/words/index.svelte";
import Notes from "../../src/titles/stop-the-train/drawers/Notes.svelte";
import { closed, merged, open, type Notebook } from "../../src/titles/stop-the-train/drawers/notes";
import play from "./scenes/play.json";

const written = (text: string) => closed({ grid: {}, text });

/** What the server keeps; what is sent waits for its answer. */
let server: { notes: string };
let waiting: { notes: string; done: () => void; refuse: (key: string) => void }[];
const acting = {
  keep: ({ notes = "" }) =>
    new Promise<void>((done, fail) => {
      waiting.push({
        notes,
        done() {
          server.notes = notes; // the news come before the answer
          flushSync();
          done();
        },
        refuse: (key) => fail(new Refused({ key })),
      });
    }),
} as unknown as Acting;

let shown: Record<string, unknown>;
let props: { sight: Sight; acting: Acting | null };
const box = () => document.querySelector("textarea")!;
function type(text: string): void {
  box().value = text;
  box().dispatchEvent(new Event("input", { bubbles: true }));
  flushSync();
}
/** Some time later. */
function rest(): void {
  vi.advanceTimersByTime(1000);
}
async function answer(work: () => void): Promise<void> {
  work();
  await vi.advanceTimersByTimeAsync(0);
  flushSync();
}
/** On another device. */
function elsewhere(text: string): void {
  server.notes = written(text);
  flushSync();
}

beforeEach(async () => {
  await voice.load("en", "stop-the-train");
  vi.useFakeTimers();
  waiting = [];
  const kept = $state({ notes: "" });
  server = kept;
  const sight = {
    ...structuredClone(play),
    code: "ABCDEF",
    match: "m1",
    get own() {
      return { notes: kept.notes };
    },
  } as unknown as Sight;
  const given = $state({ sight, acting: acting as Acting | null });
  props = given;
  shown = mount(Notes, { target: document.body, props: given });
  flushSync();
});
afterEach(() => {
  void unmount(shown);
  document.body.innerHTML = "";
  vi.useRealTimers();
});

it("what another device wrote is shown, and what is written next is added to it", async () => {
  type("Nereo lies.");
  rest();
  await answer(waiting[0]!.done);
  elsewhere("Nereo lies. The Agent is Jolanda!");
  expect(box().value).toBe("Nereo lies. The Agent is Jolanda!");
  type(`${box().value} Or not.`);
  rest();
  expect(open(waiting[1]!.notes).text).toBe("Nereo lies. The Agent is Jolanda! Or not.");
});

it("both have written: both texts stay, and are kept", async () => {
  type("Nereo lies.");
  elsewhere("The Agent is Jolanda!");
  expect(box().value).toMatch(/^Nereo lies\.\s.*\sThe Agent is Jolanda!$/s);
  rest();
  expect(open(waiting.at(-1)!.notes).text).toBe(box().value);
  await answer(waiting.at(-1)!.done);
  expect(box().value).toContain("Nereo lies.");
});

it("without a connection it is the same", async () => {
  type("Nereo lies.");
  rest();
  elsewhere("The Agent is Jolanda!"); // the news are told first, then what waited is taken
  await answer(waiting[0]!.done);
  rest();
  expect(open(waiting[1]!.notes).text).toContain("Nereo lies.");
  expect(open(waiting[1]!.notes).text).toContain("The Agent is Jolanda!");
});

it("who writes on while it is kept is not told what they wrote themselves", async () => {
  type("Nereo");
  rest();
  type("Ner");
  await answer(waiting[0]!.done);
  expect(box().value).toBe("Ner");
  rest();
  expect(open(waiting[1]!.notes).text).toBe("Ner");
});

it("what is refused is said, and stays written", async () => {
  type("Nereo lies.");
  rest();
  await answer(() => waiting[0]!.refuse("table.not-kept"));
  expect(document.querySelector("[role=alert]")?.textContent).toContain(
    tell({ key: "table.not-kept" }),
  );
  expect(box().value).toBe("Nereo lies.");
  type("Nereo lies!");
  rest();
  await answer(waiting[1]!.done);
  expect(document.querySelector("[role=alert]")).toBeNull();
});

it("where nothing can be kept, nothing can be written", () => {
  props.acting = null;
  flushSync();
  expect(box().readOnly).toBe(true);
  document.querySelector<HTMLElement>("[role=cell] button")!.click();
  flushSync();
  expect(document.querySelector("[role=cell] button")!.textContent).toBe("");
});

it("of marks, each device keeps those that it set", () => {
  const before: Notebook = { grid: { cop: { 0: "no", 1: "yes" } }, text: "" };
  const ours: Notebook = { grid: { cop: { 0: "no", 1: "", 2: "maybe" } }, text: "" };
  const theirs: Notebook = { grid: { cop: { 0: "yes", 1: "yes" }, spy: { 3: "no" } }, text: "" };
  expect(merged(before, ours, theirs).grid).toEqual({
    cop: { 0: "yes", 1: "", 2: "maybe" },
    spy: { 3: "no" },
  });
});
