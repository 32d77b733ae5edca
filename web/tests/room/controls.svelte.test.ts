/* What is set in a room: every control shows what the server has, also after a request that was lost; and a
   change does not undo the one before. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Field, RoomView } from "../../src/generated/protocol";
import { api, Failed } from "../../src/lib/api";
import { voice } from "../../src/lib/words/index.svelte";
import Segmented from "../../src/parts/Segmented.svelte";
import Option from "../../src/screens/room/Option.svelte";
import { Visit } from "../../src/screens/room/visit.svelte";
import { FakeSocket } from "../lib/fakesocket";

const target = document.body;
let shown: Record<string, unknown> | undefined;
beforeAll(() => voice.load("en", ""));
afterEach(() => {
  if (shown) void unmount(shown);
  shown = undefined;
  target.innerHTML = "";
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

type Ask = (value: unknown) => Promise<boolean>;
function option(kind: Field["kind"], value: unknown) {
  return (onchange: Ask) =>
    mount(Option, {
      target,
      props: {
        title: "",
        field: { name: "x", kind, choices: ["one", "two"] } as Field,
        value,
        own: undefined,
        why: null,
        busy: false,
        onchange,
        onfile: onchange,
        onremove: () => onchange(null),
      },
    });
}
function segmented(onchange: Ask) {
  const choices = ["one", "two"].map((value) => ({ value, label: value }));
  return mount(Segmented, { target, props: { label: "", choices, value: "one", onchange } });
}

const tick = () => target.querySelectorAll<HTMLInputElement>("input")[1]!.click();
function select(): void {
  const found = target.querySelector("select")!;
  found.value = "two";
  found.dispatchEvent(new Event("change", { bubbles: true }));
}
/** What all the inputs show. */
const shows = () =>
  [...target.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")].map((one) =>
    one instanceof HTMLInputElement ? one.checked : one.value,
  );

it.each([
  ["a switch", option("switch", true), () => target.querySelector("input")!.click(), [true]],
  ["chips", option("choices", ["one"]), tick, [true, false]],
  ["a list", option("choice", "one"), select, ["one"]],
  ["one of a few", segmented, tick, [true, false]],
])("%s shows what there is when the request is lost", async (_, show, press, before) => {
  let lose: (done: boolean) => void;
  const ask = vi.fn<Ask>(() => new Promise((done) => (lose = done)));
  shown = show(ask);
  flushSync();
  expect(shows()).toEqual(before);
  press();
  flushSync();
  expect(ask).toHaveBeenCalledOnce();
  expect(shows()).not.toEqual(before); // what is wanted, until it is answered
  lose!(false);
  await vi.waitFor(() => expect(shows()).toEqual(before));
});

it("two changes, one right after the other, are both made", async () => {
  vi.stubGlobal("WebSocket", FakeSocket);
  let room = { code: "ABCDEF", seats: [], people: [], you: 1, host: 1, settings: {} } as unknown;
  vi.spyOn(api, "room").mockImplementation(() => Promise.resolve(room as RoomView));
  const visit = new Visit("ABCDEF");
  await vi.waitFor(() => expect(visit.room).not.toBeNull());
  vi.spyOn(api, "command").mockImplementation(async (_, command) => {
    await Promise.resolve();
    if (command.do === "configure" && command.settings?.public)
      throw new Failed(0, { key: "web.offline" });
    room = { ...(room as RoomView), ...command };
    return room as RoomView;
  });
  const done = [{ watching: false }, { public: true }, { locked: true }].map((changes) =>
    visit.set("house", changes),
  );
  expect(await Promise.all(done)).toEqual([true, false, true]);
  expect(visit.room?.settings).toEqual({ watching: false, locked: true });
  visit.close();
});
