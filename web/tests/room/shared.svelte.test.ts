/* Several people at one screen, after the end: how it ended is for all. The table, with what is one's own
   there, is only for whoever has said that it is they who look. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { say, voice } from "../../src/lib/words/index.svelte";
import Room from "../../src/screens/Room.svelte";
import { FakeSocket } from "../lib/fakesocket";

/** A busy machine takes its time to load a table. */
const PATIENCE = 20_000;
vi.setConfig({ testTimeout: 2 * PATIENCE });

const NAMES = ["Ada", "Bruno"];
const room = (phase: string) => ({
  code: "ABCDEF",
  title: "no-title-of-ours",
  phase,
  match: "m1",
  match_seats: [0, 1],
  data: {},
  past: phase === "over" ? [{ id: "m1", ending: "won" }] : [],
  seats: NAMES.map((name) => ({ kind: "person", name })),
  yours: [0, 1],
  people: [{ number: 1, name: "Ada" }],
  host: 2,
  you: 1,
  settings: {},
});
const scene = (over: boolean) => ({
  view: {},
  awaited: {},
  said: [],
  players: ["person", "person"],
  question: null,
  result: over ? { ending: "won", outcomes: NAMES.map(() => ({ won: true })) } : null,
});
/** What only the team of this seat may read. */
const secret = (seat: number) => `SECRET of ${NAMES[seat]}`;

let phase: string;
function greet(): void {
  for (const socket of FakeSocket.all.filter((one) => one.readyState === 0)) {
    const { seat } = socket.open().sent[0] as { seat: number };
    const line = { t: "chat", n: seat, person: 1, name: "", to: "team", text: secret(seat), at: 0 };
    socket
      .say({ t: "room", room: room(phase), seat })
      .say({
        t: "welcome",
        match: "m1",
        title: "no-title-of-ours",
        seat,
        names: NAMES,
        seed_hash: "",
        n: 1,
        scene: scene(phase === "over"),
        missed: [],
      })
      .say(line);
  }
}
function end(): void {
  phase = "over";
  for (const socket of FakeSocket.all.filter((one) => one.readyState === 1)) {
    const { seat } = socket.sent[0] as { seat: number };
    const delta = [[["result"], scene(true).result]];
    socket
      .say({ t: "frame", match: "m1", n: 2, events: [], delta })
      .say({ t: "room", room: room("over"), seat });
  }
}

const text = () => document.body.textContent ?? "";
const until = (so: () => void) =>
  vi.waitFor(() => {
    greet();
    flushSync();
    so();
  }, PATIENCE);
const reads = (words: string) => until(() => expect(text()).toContain(words));
async function press(words: string): Promise<void> {
  const found = () =>
    [...document.querySelectorAll<HTMLElement>("button")].find((one) =>
      one.textContent?.includes(words),
    );
  await until(() => expect(found()).toBeDefined());
  found()!.click();
  flushSync();
}
const curtain = (name: string) => say("lobby.curtain.open", { name });

let shown: Record<string, unknown>;
beforeAll(() => voice.load("en", ""));
beforeEach(() => {
  phase = "playing";
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", (path: string) => {
    const answer = path.endsWith("/ABCDEF") ? room(phase) : {};
    return Promise.resolve(new Response(JSON.stringify(answer)));
  });
});
afterEach(() => {
  void unmount(shown);
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

it("who played to the end looks on, the next one is asked who looks", async () => {
  shown = mount(Room, { target: document.body, props: { argument: "ABCDEF" } });
  await press(curtain("Ada"));
  await reads(secret(0));
  end();
  await reads(say("shell.look"));
  expect(text()).not.toContain(secret(0));
  await press(say("shell.look"));
  await reads(secret(0));
  await press("Bruno");
  await reads(say("shell.look"));
  await press(say("shell.look"));
  await reads(curtain("Bruno"));
  expect(text()).not.toContain(secret(1));
  await press(curtain("Bruno"));
  await reads(secret(1));
  expect(text()).not.toContain(secret(0));
});

it("whoever comes when all is over sees how it ended, and is asked before the table is shown", async () => {
  phase = "over";
  shown = mount(Room, { target: document.body, props: { argument: "ABCDEF" } });
  await reads(say("shell.look"));
  expect(text()).not.toContain(curtain("Ada"));
  await press(say("shell.look"));
  await reads(curtain("Ada"));
  expect(text()).not.toContain(secret(0));
  await press(curtain("Ada"));
  await reads(secret(0));
});
