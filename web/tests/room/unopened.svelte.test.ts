/* A match that cannot be shown: that is said in the room, with the reason, and the host can end one that was on.
   Nobody waits for a table that does not come. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { say, tell, voice } from "../../src/lib/words/index.svelte";
import Room from "../../src/screens/Room.svelte";
import { FakeSocket, last } from "../lib/fakesocket";

const why = { key: "match.unreadable" };
const room = (more: object) => ({
  code: "ABCDEF",
  title: "no-title-of-ours",
  phase: "playing",
  match: "m1",
  match_seats: [0],
  seats: [{ kind: "person", name: "Ada" }],
  yours: [0],
  people: [
    { number: 1, name: "Ada" },
    { number: 2, name: "Bea" },
  ],
  host: 1,
  you: 1,
  settings: {},
  link: "http://here/room/ABCDEF",
  options: {},
  data: {},
  past: [],
  unopened: why,
  ...more,
});

let sent: unknown[];
let shown: Record<string, unknown>;
const text = () => document.body.textContent ?? "";
const button = (name: string) =>
  [...document.querySelectorAll("button")].find((one) => one.textContent?.trim() === name);

beforeAll(() => voice.load("en", ""));
beforeEach(() => {
  sent = [];
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
});
afterEach(() => {
  void unmount(shown);
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

async function enter(more: object = {}): Promise<void> {
  vi.stubGlobal("fetch", (path: string, how: RequestInit) => {
    if (how.body) sent.push(JSON.parse(how.body as string));
    const found = path.endsWith("/ABCDEF") ? room(more) : [];
    return Promise.resolve(new Response(JSON.stringify(found)));
  });
  shown = mount(Room, { target: document.body, props: { argument: "ABCDEF" } });
  await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(1));
  last()
    .open()
    .say({ t: "room", room: room(more), seat: 0 });
  flushSync();
}

it("the host reads why, and ends it", async () => {
  await enter();
  expect(text()).toContain(tell(why));
  expect(button(say("lobby.start"))).toBeUndefined();
  button(say("shell.abandon"))!.click();
  flushSync();
  expect(sent).toEqual([]); // it is asked once more
  button(say("shell.abandon"))!.click();
  await vi.waitFor(() => expect(sent).toEqual([{ do: "abandon" }]));
});

it("others read why, and who can end it", async () => {
  await enter({ host: 2 });
  expect(text()).toContain(tell(why));
  expect(text()).toContain(say("lobby.unopened.wait", { name: "Bea" }));
  expect(button(say("shell.abandon"))).toBeUndefined();
});

it("after the last match, which nobody keeps any more, one is in the room", async () => {
  const past = [{ id: "m1", title: "t", ended: 0, ending: "arrived" }];
  await enter({ phase: "over", past });
  expect(text()).toContain(tell(why));
  expect(button(say("lobby.start"))).not.toBeUndefined();
  expect(button(say("shell.abandon"))).toBeUndefined();
});

it("what was broken off has no end to look at anyway", async () => {
  await enter({ phase: "over", past: [{ id: "m1", title: "t", ended: 0 }] });
  expect(text()).not.toContain(tell(why));
});
