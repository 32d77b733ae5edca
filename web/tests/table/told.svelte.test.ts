/* Votes and pauses are told and not answered: they are offered only while they can be told. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Seat } from "../../src/lib/seat.svelte";
import { overSocket } from "../../src/lib/socket";
import type { Sight } from "../../src/lib/sight";
import { say, voice } from "../../src/lib/words/index.svelte";
import Menu from "../../src/screens/table/Menu.svelte";
import Notices from "../../src/screens/table/Notices.svelte";
import { FakeSocket, last } from "../lib/fakesocket";

const SCENE = {
  view: {},
  awaited: {},
  said: [],
  players: ["person", "person"],
  question: null,
  result: null,
};
const ROOM = { t: "room", room: { code: "ABCDEF", you: 1, host: 2, seats: [] }, seat: 0 };
const WELCOME = {
  t: "welcome",
  match: "m1",
  title: "stop-the-train",
  seat: 0,
  names: ["Ada", "Bruno"],
  seed_hash: "",
  n: 0,
  scene: SCENE,
  missed: [],
};
const STATUS = {
  t: "status",
  match: "m1",
  present: [0, 1],
  paused: true,
  proposal: { id: 4, kind: "pause", by: 1, agreed: [1], asked: [0] },
};
const CONTROLS = [
  ["shell.agree", { t: "vote", proposal: 4, agree: true }],
  ["shell.disagree", { t: "vote", proposal: 4, agree: false }],
  ["shell.go-on", { t: "pause", paused: false }],
  ["shell.pause", { t: "pause", paused: true }],
] as const;

let seat: Seat;
let shown: Record<string, unknown>[];

beforeAll(() => voice.load("en", ""));
beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  seat = new Seat("ABCDEF", 0, overSocket("ABCDEF"));
  last().open().say(ROOM).say(WELCOME).say(STATUS);
  const sight = {
    title: "stop-the-train",
    code: "ABCDEF",
    match: "m1",
    names: ["Ada", "Bruno"],
    number: 0,
    scene: SCENE,
    happened: [],
    own: null,
  } as unknown as Sight;
  const target = document.body;
  shown = [
    mount(Notices, { target, props: { seat, sight } }),
    mount(Menu, { target, props: { seat, sight, onlook: () => undefined } }),
  ];
  flushSync();
});
afterEach(() => {
  for (const one of shown) void unmount(one);
  seat.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function button(key: (typeof CONTROLS)[number][0]): HTMLButtonElement {
  const found = [...document.querySelectorAll("button")];
  return found.find((one) => one.textContent?.trim() === say(key))!;
}

it.each(CONTROLS)("%s is off while the connection is away, and on when it is back", (key, told) => {
  expect(button(key).getAttribute("aria-disabled")).toBe("false");
  last().breaks();
  flushSync();
  expect(button(key).getAttribute("aria-disabled")).toBe("true");
  button(key).click();
  vi.advanceTimersByTime(300);
  last()
    .open()
    .say(ROOM)
    .say({ ...WELCOME })
    .say(STATUS);
  flushSync();
  expect(last().moves()).toEqual([]);
  expect(button(key).getAttribute("aria-disabled")).toBe("false");
  button(key).click();
  expect(last().moves()).toEqual([told]);
});
