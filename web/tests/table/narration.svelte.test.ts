/* The line of narration is what is heard of a table: as much of it as is wanted, and no secrets. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Told } from "../../src/generated/protocol";
import { prefs } from "../../src/lib/prefs.svelte";
import type { Sight } from "../../src/lib/sight";
import { voice } from "../../src/lib/words/index.svelte";
import { GAP } from "../../src/screens/table/narrate";
import Narration from "../../src/screens/table/Narration.svelte";
import type { Board } from "../../src/titles";

const SIGHT = {
  code: "ABCDEF",
  number: 0,
  names: ["Ada", "Bruno", "Carla"],
  scene: { result: null },
  happened: [{ n: 1, events: [] }],
} as unknown as Sight;

const props = $state({ sight: SIGHT, board: {} as Board, asked: "" });
let shown: Record<string, unknown>;

const happens = (...events: Told[]) => {
  const n = props.sight.happened.at(-1)!.n + 1;
  props.sight = { ...props.sight, happened: [...props.sight.happened, { n, events }] };
  flushSync();
};
const seen = () => document.querySelector(".shown")!.textContent.trim();
const heard = () => document.querySelector("[aria-live=polite]")!.textContent.trim();
const bruno: Told = { key: "log.undone", args: { seat: 1 } };
const ada: Told = { key: "log.undone", args: { seat: 0 } };

beforeAll(() => voice.load("en", ""));
beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(props, { sight: SIGHT, asked: "" });
  shown = mount(Narration, { target: document.body, props });
  flushSync();
});
afterEach(() => {
  void unmount(shown);
  prefs.narration = "all";
  vi.useRealTimers();
});

it("is shown and heard, line after line", () => {
  happens(bruno);
  happens(ada);
  expect(seen()).toBe("B Bruno takes a move back.");
  expect(heard()).toBe("Bruno takes a move back.");
  vi.advanceTimersByTime(GAP);
  flushSync();
  expect(heard()).toBe("Ada takes a move back.");
});

it.each([
  ["all", "Bruno takes a move back.", "Ada takes a move back."],
  ["mine", "", "Ada takes a move back."],
  ["none", "", ""],
] as const)("with %s wanted, only that is heard; all is shown", (wanted, first, second) => {
  prefs.narration = wanted;
  happens(bruno);
  expect([seen(), heard()]).toEqual(["B Bruno takes a move back.", first]);
  vi.advanceTimersByTime(GAP);
  happens(ada);
  expect([seen(), heard()]).toEqual(["A Ada takes a move back.", second]);
});

it("says what is asked of me, whatever else is wanted", () => {
  prefs.narration = "none";
  props.asked = "Your turn";
  flushSync();
  expect(heard()).toBe("Your turn");
});

it("tells nothing that only I know", () => {
  happens({ key: "log.control.person", args: { seat: 2 }, private: true, others: "log.undone" });
  happens({ key: "log.said", args: { seat: 2 }, private: true });
  vi.advanceTimersByTime(GAP);
  flushSync();
  expect(heard()).toBe("Carla takes a move back.");
});
