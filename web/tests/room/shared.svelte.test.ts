/* Several people at one screen, after the end: how it ended is for all. The table, with what is one's own
   there, is only for whoever has said that it is they who look; wherever their chair is moved. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { router } from "../../src/lib/router.svelte";
import { say, voice } from "../../src/lib/words/index.svelte";
import Room from "../../src/screens/Room.svelte";
import { FakeSocket } from "../lib/fakesocket";

/** A busy machine takes its time to load a table. */
const PATIENCE = 20_000;
vi.setConfig({ testTimeout: 2 * PATIENCE });

const NAMES = ["Ada", "Bruno"];
let phase: string;
/** Which of them sits in each chair, and how often the room has changed. */
let chairs: number[];
let changes: number;
const room = () => ({
  code: "ABCDEF",
  title: "no-title-of-ours",
  phase,
  match: "m1",
  match_seats: [0, 1],
  past: phase === "over" ? [{ id: "m1", title: "no-title-of-ours", ended: 0, ending: "won" }] : [],
  seats: chairs.map((player) => ({ kind: "person", name: NAMES[player] })),
  yours: [0, 1],
  people: [{ number: 1, name: "Ada" }],
  host: 2,
  you: 1,
  settings: {},
  link: "http://here/room/ABCDEF",
  options: {},
  data: {},
  n: changes,
});
const scene = (over: boolean) => ({
  view: {},
  awaited: {},
  said: [],
  players: ["person", "person"],
  question: null,
  result: over ? { ending: "won", outcomes: NAMES.map(() => ({ won: true })) } : null,
});
/** What only the team of this player may read. */
const secret = (player: number) => `SECRET of ${NAMES[player]}`;

/** Who is at the other end of the open connections. */
const players = new Map<FakeSocket, number>();
const open = () => FakeSocket.all.filter((one) => one.readyState === 1);

function greet(): void {
  for (const socket of FakeSocket.all.filter((one) => one.readyState === 0)) {
    const { seat } = socket.open().sent[0] as { seat: number };
    const player = chairs[seat]!;
    players.set(socket, player);
    const line = { t: "chat", person: 1, name: "", to: "team", text: secret(player), at: 0 };
    socket
      .say({ t: "room", room: room(), seat })
      .say({
        t: "welcome",
        match: "m1",
        title: "no-title-of-ours",
        seat: player,
        names: NAMES,
        seed_hash: "",
        n: 1,
        scene: scene(phase === "over"),
        missed: [],
      })
      .say({ ...line, n: player + 1 })
      .say({ ...line, n: 9, to: "table", text: "for ALL" });
  }
}
/** A connection stays with its person, wherever they sit now. */
function tellRoom(sockets = open()): void {
  for (const socket of sockets)
    socket.say({ t: "room", room: room(), seat: chairs.indexOf(players.get(socket)!) });
}
function end(): void {
  phase = "over";
  changes += 1;
  const delta = [[["result"], scene(true).result]];
  for (const socket of open()) socket.say({ t: "frame", match: "m1", n: 2, events: [], delta });
  tellRoom();
}
function shuffle(): void {
  chairs = [...chairs].reverse();
  changes += 1;
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
  chairs = [0, 1];
  changes = 1;
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", (path: string) => {
    const answer = path.endsWith("/ABCDEF") ? room() : [];
    return Promise.resolve(new Response(JSON.stringify(answer)));
  });
});
afterEach(() => {
  void unmount(shown);
  document.body.innerHTML = "";
  router.hash = "";
  players.clear();
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

/** Ada has looked at the table after the end. */
async function adaLooks(): Promise<void> {
  phase = "over";
  shown = mount(Room, { target: document.body, props: { argument: "ABCDEF" } });
  await press(say("shell.look"));
  await press(curtain("Ada"));
  await reads(secret(0));
}
/** Once all that follows from what was told has been done. */
async function settle(): Promise<void> {
  for (let step = 0; step < 20; step += 1) {
    greet();
    flushSync();
    expect(text()).not.toContain(secret(1));
    await Promise.resolve();
  }
}
const looks = () => document.querySelector('[aria-pressed="true"]')?.textContent;

it.each([
  ["the first", (all: FakeSocket[]) => all],
  ["the last", (all: FakeSocket[]) => all.reverse()],
])("chairs are moved, %s connection hears it first: who looks looks on", async (_, order) => {
  await adaLooks();
  for (let time = 0; time < 3; time += 1) {
    shuffle();
    for (const socket of order(open())) {
      tellRoom([socket]);
      await settle();
    }
    expect(looks()).toContain("Ada");
    await reads(secret(0));
    expect([...open().map((one) => players.get(one))].sort()).toEqual([0, 1]);
  }
});

it("chairs were moved while the screen was offline: whoever has the chair now is asked", async () => {
  await adaLooks();
  shuffle();
  for (const socket of open()) socket.breaks();
  dispatchEvent(new Event("online"));
  await settle();
  expect(looks()).toContain("Bruno");
  await press(say("shell.look"));
  await reads(curtain("Bruno"));
  expect(text()).not.toContain("SECRET");
  await press(curtain("Bruno"));
  await reads(secret(1));
  expect(text()).not.toContain(secret(0));
});

it("nobody is asked who they are before it is known whose seat it is", async () => {
  shown = mount(Room, { target: document.body, props: { argument: "ABCDEF" } });
  await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(2), PATIENCE);
  flushSync();
  expect(text()).not.toContain(curtain("Ada"));
  await press(curtain("Ada"));
  await reads(secret(0));
});

it("in the room everybody reads what was for all, and nobody what was for a team", async () => {
  await adaLooks();
  router.hash = "#room";
  await reads(say("lobby.back-to-end"));
  await reads("for ALL");
  expect(text()).not.toContain("SECRET");
});
