/* In a bad network people press twice: what was asked for once is done once, and that it waits is said. */
import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BEGUN, Begun } from "../../src/lib/begun";
import { api, Failed } from "../../src/lib/api";
import { router } from "../../src/lib/router.svelte";
import { Seat } from "../../src/lib/seat.svelte";
import { overSocket } from "../../src/lib/socket";
import type { Sight } from "../../src/lib/sight";
import { say, tell, voice } from "../../src/lib/words/index.svelte";
import Menu from "../../src/screens/table/Menu.svelte";
import Claims from "../../src/titles/stop-the-train/drawers/Claims.svelte";
import Reason from "../../src/titles/trial-by-trolley/Reason.svelte";
import { FakeSocket, last } from "../lib/fakesocket";
import play from "../stop-the-train/scenes/play.json";

const ROOM = { t: "room", room: { code: "ABCDEF", you: 1, host: 2, seats: [] }, seat: 0 };
const scene = {
  ...play.scene,
  question: { id: 1, must: true, undo: 2, choices: [] },
};
const WELCOME = {
  t: "welcome",
  match: "m1",
  title: play.title,
  seat: play.number,
  names: play.names,
  seed_hash: "",
  n: 1,
  scene,
  missed: [],
};
const sight = { ...play, scene, code: "ABCDEF", match: "m1" } as unknown as Sight;
const trolley = {
  ...sight,
  scene: { view: { past: [], teams: [] } },
  happened: [],
} as unknown as Sight;

let seat: Seat;
let shown: Record<string, unknown> | undefined;
const target = document.body;
function show(what: Component<never>, props: object): void {
  const context = new Map([[BEGUN, new Begun()]]);
  shown = mount(what, { target, props: props as never, context });
  flushSync();
}
function hide(): void {
  if (shown) void unmount(shown);
  shown = undefined;
}
const button = (words: string) =>
  [...target.querySelectorAll("button")].find((one) => one.textContent?.includes(words));

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  seat = new Seat("ABCDEF", 0, overSocket("ABCDEF"));
  last().open().say(ROOM).say(WELCOME);
});
afterEach(() => {
  hide();
  seat.close();
  target.innerHTML = "";
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function reason(): void {
  const box = target.querySelector("input")!;
  box.value = "Because.";
  box.dispatchEvent(new Event("input", { bubbles: true }));
  target.querySelector("form")!.dispatchEvent(new Event("submit", { cancelable: true }));
}

it.each<[string, string, () => void, () => void, object]>([
  [
    "taking back a move",
    "stop-the-train",
    () => show(Menu as never, { seat, sight, onlook: () => undefined }),
    () => (button(say("shell.undo")) ?? button(say("shell.unsent")))!.click(),
    { t: "undo" },
  ],
  [
    "an accusation",
    "stop-the-train",
    () => show(Claims as never, { sight, acting: seat }),
    () => target.querySelector<HTMLElement>(".accuse button")!.click(),
    { t: "say" },
  ],
  [
    "what one says about a turn",
    "stop-the-train",
    () => show(Claims as never, { sight, acting: seat }),
    () => button(say("stt.claim.truth"))!.click(),
    { t: "say" },
  ],
  [
    "the reason of a verdict",
    "trial-by-trolley",
    () => show(Reason as never, { sight: trolley, acting: seat }),
    reason,
    { t: "say", said: { reason: "Because." } },
  ],
])("%s, pressed again while it waits, is sent once", async (_, title, open, press, sent) => {
  await voice.load("en", title);
  open();
  last().breaks();
  for (let times = 0; times < 3; times += 1) {
    press();
    flushSync();
  }
  expect(target.textContent).toContain(say("shell.unsent"));
  vi.advanceTimersByTime(400);
  last().open().say(ROOM).say(WELCOME);
  expect(last().moves()).toHaveLength(1);
  expect(last().moves()[0]).toMatchObject(sent);
  last().say({ t: "done", id: last().moves()[0]!.id });
  await vi.advanceTimersByTimeAsync(0);
  flushSync();
  expect(target.textContent).not.toContain(say("shell.unsent"));
  press();
  expect(last().moves()).toHaveLength(2);
});

it("taking back is asked for once also from a menu that was closed in between", async () => {
  await voice.load("en", "");
  last().breaks();
  for (let times = 0; times < 2; times += 1) {
    show(Menu as never, { seat, sight, onlook: () => undefined });
    (button(say("shell.undo")) ?? button(say("shell.unsent")))!.click();
    hide();
  }
  vi.advanceTimersByTime(400);
  last().open().say(ROOM).say(WELCOME);
  expect(last().moves()).toHaveLength(1);
});

it("who cannot leave stays, and reads why", async () => {
  await voice.load("en", "");
  const go = vi.spyOn(router, "go").mockImplementation(() => undefined);
  vi.spyOn(api, "command").mockRejectedValueOnce(new Failed(0, { key: "web.offline" }));
  show(Menu as never, { seat, sight, onlook: () => undefined });
  const leave = () => {
    button(say("shell.leave"))!.click();
    flushSync();
    button(say("shell.leave"))!.click(); // and it is meant
  };
  leave();
  await vi.advanceTimersByTimeAsync(0);
  flushSync();
  expect(target.textContent).toContain(tell({ key: "web.offline" }));
  expect(go).not.toHaveBeenCalled();
  vi.spyOn(api, "command").mockResolvedValueOnce({} as never);
  leave();
  await vi.advanceTimersByTimeAsync(0);
  expect(go).toHaveBeenCalledWith("/");
});
