/* What was done to me stays in sight until I have seen it. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Told } from "../../src/generated/protocol";
import type { Seat } from "../../src/lib/seat.svelte";
import type { Sight } from "../../src/lib/sight";
import { voice } from "../../src/lib/words/index.svelte";
import Hits from "../../src/screens/table/Hits.svelte";
import type { Board } from "../../src/titles";

const SIGHT = {
  number: 0,
  names: ["Ada", "Bruno"],
  happened: [{ n: 1, events: [{ key: "log.undone", args: { seat: 1 } }] }],
} as unknown as Sight;

const seat = $state({ sending: 0 });
const board = {
  hits: (events: readonly Told[]) => events.map((line) => ({ by: 1, line })),
} as unknown as Board;
const props = $state({ seat: seat as Seat, sight: SIGHT, board });
let shown: Record<string, unknown>;

const happens = (...keys: string[]) => {
  const n = props.sight.happened.at(-1)!.n + 1;
  const events = keys.map((key) => ({ key, args: { seat: 1 } }));
  props.sight = { ...props.sight, happened: [...props.sight.happened, { n, events }] };
  flushSync();
};
const alert = () => document.querySelector("[role=alert]");

beforeAll(() => voice.load("en", ""));
beforeEach(() => {
  props.sight = SIGHT;
  seat.sending = 0;
  shown = mount(Hits, { target: document.body, props });
  flushSync();
});
afterEach(() => void unmount(shown));

it("tells what hits me, and what hit me just before; nothing of what is long past", () => {
  expect(alert()).toBeNull();
  happens("log.undone");
  happens("log.control.clock");
  expect(alert()!.querySelector("h2")?.textContent).toBe("The clock now plays for Bruno.");
  expect(alert()!.querySelector("p")?.textContent).toBe("Bruno takes a move back.");
});

it("stays while other things happen, and goes when it is closed", () => {
  happens("log.undone");
  happens();
  expect(alert()).not.toBeNull();
  alert()!.querySelector("button")!.click();
  flushSync();
  expect(alert()).toBeNull();
});

it("who acts has seen it; what comes of that is still to be seen", () => {
  happens("log.undone");
  seat.sending = 1;
  flushSync();
  expect(alert()).toBeNull();
  happens("log.undone");
  seat.sending = 0;
  flushSync();
  expect(alert()).not.toBeNull();
});
