/* A chair that is lost while the connection is away: whoever comes back is shown what there is for them now,
   or told why there is nothing, and sees nothing more of the chair. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { tell, voice } from "../../src/lib/words/index.svelte";
import Room from "../../src/screens/Room.svelte";
import { FakeSocket, type Json } from "../lib/fakesocket";

/** A busy machine takes its time to load a table. */
const PATIENCE = 20_000;
vi.setConfig({ testTimeout: 2 * PATIENCE });

const NAMES = ["Ada", "Bruno", "Carla"];

/** The room while a match is on, as it is told to whom these chairs belong. */
const room = (...mine: number[]) => ({
  code: "ABCDEF",
  title: "no-title-of-ours",
  phase: "playing",
  match: "m1",
  match_seats: [0, 1, 2],
  seats: NAMES.map((name) => ({ kind: "person", name })),
  yours: mine,
  people: [{ number: 1, name: "Ada" }],
  host: 2,
  you: 1,
  settings: {},
  link: "http://here/room/ABCDEF",
  options: {},
  data: {},
  past: [],
});

/** What only the one at this chair may know. */
const secret = (seat: number) => `Secret ${seat}`;

const welcome = (seat: number | null) => ({
  t: "welcome",
  match: "m1",
  title: "no-title-of-ours",
  seat,
  names: NAMES,
  seed_hash: "",
  n: 1,
  scene: {
    view: {},
    awaited: { seats: [0, 1, 2] },
    said: [],
    players: ["person", "person", "person"],
    question:
      seat === null
        ? null
        : { id: 1, must: true, choices: [{ do: { do: "it" }, line: { key: secret(seat) } }] },
    result: null,
  },
  missed: [],
});

const CROWDED = { key: "serve.too-many-sockets" };

/** What the server has to say: to a request for the room, and to a hello. */
const server = {
  room: (): [status: number, answer: unknown] => [200, room()],
  /** Whether there is a socket for one more. */
  free: true,
  mine: [] as number[],
  watching: true,
};

/** Answer every hello that was not answered yet. */
function greet(): void {
  for (const socket of FakeSocket.all.filter((one) => one.readyState === 0)) {
    const { seat } = socket.open().sent[0] as { seat: number | null };
    if (seat !== null && !server.mine.includes(seat)) refuse(socket, "room.not-yours");
    else if (seat === null && !server.watching) refuse(socket, "room.no-watching");
    else socket.say({ t: "room", room: room(...server.mine), seat }).say(welcome(seat));
  }
}

function refuse(socket: FakeSocket, key: string): void {
  socket.say({ t: "refused", why: { key } }).breaks();
}

const open = () => FakeSocket.all.filter((one) => one.readyState === 1);
const hellos = () => FakeSocket.all.map(({ sent }) => (sent[0] as Json | undefined)?.seat);
const forAda = () => hellos().filter((seat) => seat === 0).length;
const text = () => document.body.textContent ?? "";

/** The next attempt of every seat, and what becomes of it. */
function comeBack(): void {
  const before = FakeSocket.all.length;
  dispatchEvent(new Event("online"));
  expect(FakeSocket.all.length).toBeGreaterThan(before);
  greet();
  flushSync();
}

function lose(): void {
  for (const socket of open()) socket.breaks();
  flushSync();
}

let shown: Record<string, unknown>;
/** Where a key was brought. */
const used: string[] = [];

async function enter(...mine: number[]): Promise<void> {
  own(...mine);
  shown = mount(Room, { target: document.body, props: { argument: "ABCDEF" } });
  await met(mine.length || 1);
}

function own(...mine: number[]): void {
  server.mine = mine;
  server.room = () => [200, room(...mine)];
}

/** The server answers until this is so. */
function until(so: () => void): Promise<void> {
  return vi.waitFor(() => {
    greet();
    flushSync();
    so();
  }, PATIENCE);
}

const met = (count: number) => until(() => expect(open()).toHaveLength(count));
const reads = (words: string) => until(() => expect(text()).toContain(words));

beforeAll(() => voice.load("en", ""));
beforeEach(() => {
  server.watching = true;
  server.free = true;
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  used.length = 0;
  vi.stubGlobal("fetch", (path: string) => {
    if (path.endsWith("/key")) used.push(path);
    let [status, answer] = path.includes("/ABCDEF") ? server.room() : [200, {}];
    if (path.endsWith("?socket=1") && !server.free) [status, answer] = [429, { why: CROWDED }];
    return Promise.resolve(new Response(JSON.stringify(answer), { status }));
  });
});
afterEach(() => {
  void unmount(shown);
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

it("who lost the chair looks on", async () => {
  await enter(0);
  await reads(secret(0));
  lose();
  own();
  comeBack();
  expect(text()).not.toContain(secret(0));
  await met(1);
  expect(hellos().at(-1)).toBe(null);
  await until(() => expect(document.querySelector("[data-title]")).not.toBe(null));
  expect(text()).not.toContain(secret(0));
});

it("who has another chair sits there", async () => {
  await enter(0);
  lose();
  own(2);
  comeBack();
  await met(1);
  await reads(secret(2));
  expect(hellos().at(-1)).toBe(2);
  expect(text()).not.toContain(secret(0));
});

it.each([
  ["who played", [0]],
  ["who watched", []],
])("%s reads that nobody may watch, and the server is not asked for ever", async (_, mine) => {
  await enter(...mine);
  lose();
  own();
  server.watching = false;
  comeBack();
  await reads(tell({ key: "room.no-watching" }));
  expect(text()).not.toContain(secret(0));
  expect(hellos().at(-1)).toBe(null);
  const tries = FakeSocket.all.length;
  dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(tries);
});

it("who watches reads it at once when nobody may any more, and sees the table when they may again", async () => {
  const table = () => document.querySelector(".table");
  const allow = (watching: boolean) =>
    open()
      .at(-1)!
      .say({ t: "room", room: { ...room(), settings: { watching } }, seat: null });
  await enter();
  await until(() => expect(table()).not.toBe(null));
  allow(false);
  flushSync();
  await reads(tell({ key: "room.no-watching" }));
  expect(table()).toBe(null);
  allow(true);
  await until(() => expect(table()).not.toBe(null));
  expect(text()).not.toContain(tell({ key: "room.no-watching" }));
});

it.each(["room.removed", "room.locked"])("%s: it is said", async (key) => {
  await enter(0);
  await reads(secret(0));
  lose();
  dispatchEvent(new Event("online"));
  refuse(FakeSocket.all.at(-1)!.open(), key);
  flushSync();
  expect(text()).toContain(tell({ key }));
  expect(text()).not.toContain(secret(0));
});

it("the room itself is gone: no socket is opened, and it is said", async () => {
  await enter(0);
  await reads(secret(0));
  lose();
  server.room = () => [404, { why: { key: "room.unknown" } }];
  dispatchEvent(new Event("online"));
  FakeSocket.all.at(-1)!.breaks();
  await reads(tell({ key: "room.unknown" }));
  expect(text()).not.toContain(secret(0));
  const tries = FakeSocket.all.length;
  dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(tries);
});

it("too many windows are open: it is said until one is closed", async () => {
  own(0);
  server.free = false;
  shown = mount(Room, { target: document.body, props: { argument: "ABCDEF" } });
  await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(1), PATIENCE);
  FakeSocket.all[0]!.breaks();
  await vi.waitFor(() => expect(text()).toContain(tell(CROWDED)), PATIENCE);
  server.free = true;
  dispatchEvent(new Event("online"));
  await reads(secret(0));
  expect(text()).not.toContain(tell(CROWDED));
});

it("also to who sits at one screen with others, and before the curtain", async () => {
  own(0, 1);
  server.free = false;
  shown = mount(Room, { target: document.body, props: { argument: "ABCDEF" } });
  await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(2), PATIENCE);
  FakeSocket.all[0]!.breaks();
  await vi.waitFor(() => expect(text()).toContain(tell(CROWDED)), PATIENCE);
  expect(document.querySelector("nav")!.textContent).toContain("Bruno");
  // Bruno has a connection, and nothing to read of it.
  greet();
  document.querySelectorAll<HTMLElement>("nav button")[1]!.click();
  flushSync();
  expect(text()).not.toContain(tell(CROWDED));
});

it.each([
  ["nobody", () => Promise.reject(new TypeError("offline"))],
  ["who is not our server", () => Promise.resolve(new Response("No.", { status: 403 }))],
])("but not because %s says so", async (_, answer) => {
  await enter(0);
  await reads(secret(0));
  lose();
  const asked = vi.fn(answer);
  vi.stubGlobal("fetch", asked);
  dispatchEvent(new Event("online"));
  FakeSocket.all.at(-1)!.breaks();
  expect(asked).toHaveBeenCalled();
  comeBack();
  await reads(secret(0));
});

/** Who looks at a screen that several people share. */
function lift(name: string): void {
  for (const where of ["nav", ".curtain"]) {
    const buttons = [...document.querySelectorAll<HTMLElement>(`${where} button`)];
    buttons.find((one) => one.textContent?.includes(name))!.click();
    flushSync();
  }
  greet();
  flushSync();
}

it.each(["Ada", "Bruno"])("one of three chairs at one screen, while %s looks", async (looking) => {
  await enter(0, 1, 2);
  lift(looking);
  await reads(secret(NAMES.indexOf(looking)));
  lose();
  own(1, 2);
  comeBack();
  expect(text()).not.toContain(secret(0));
  const asked = forAda();
  await met(2);
  lift("Carla");
  await reads(secret(2));
  expect(text()).not.toContain(secret(0));
  expect(forAda()).toBe(asked);
});

it("a chair changes hands just as one comes for it: there is nothing to see, and that is said", async () => {
  server.mine = [];
  server.watching = false;
  let asked = 0;
  server.room = () => [200, room(...(asked++ ? [] : [0]))];
  shown = mount(Room, { target: document.body, props: { argument: "ABCDEF" } });
  await reads(tell({ key: "room.no-watching" }));
  expect(hellos()).toEqual([0, null]);
});

it("the chair that is left is back later than the one that is lost", async () => {
  await enter(0, 1);
  lift("Ada");
  lose();
  own(1);
  dispatchEvent(new Event("online"));
  const [first] = FakeSocket.all.filter((one) => one.readyState === 0);
  expect(first!.open().sent[0]).toMatchObject({ seat: 0 });
  refuse(first!, "room.not-yours");
  flushSync();
  const asked = forAda();
  await met(1);
  flushSync();
  expect(text()).not.toContain(secret(1)); // it may be Ada who still sits there
  document.querySelector<HTMLElement>(".curtain button")!.click();
  flushSync();
  greet();
  await reads(secret(1));
  expect(forAda()).toBe(asked);
});

it.each([
  ["who watches", true],
  ["who stands before a locked room", false],
])("%s takes a chair by a personal link in the same tab", async (_, inside) => {
  if (inside) await enter();
  else {
    server.room = () => [409, { why: { key: "room.locked" } }];
    shown = mount(Room, { target: document.body, props: { argument: "ABCDEF" } });
    await reads(tell({ key: "room.locked" }));
  }
  own(0);
  history.replaceState(null, "", "#seat=0.secretkey");
  dispatchEvent(new Event("hashchange"));
  await reads(secret(0));
  expect(location.hash).toBe(""); // it is a secret
  expect(used).toEqual(["/api/rooms/ABCDEF/seats/0/key"]);
});
