/* What stands on the cards belongs to the match: another match has other words, also after a request that
   was lost or came late. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { api, Failed } from "../../src/lib/api";
import { Seat } from "../../src/lib/seat.svelte";
import { overSocket } from "../../src/lib/socket";
import { say, voice } from "../../src/lib/words/index.svelte";
import Table from "../../src/screens/Table.svelte";
import { chartOf } from "../../src/titles/tachite-al-tram/chart";
import { trackOf } from "../../src/titles/stop-the-train/track";
import { FakeSocket, last } from "../lib/fakesocket";
import tram from "../tachite-al-tram/scenes/go.json";

/** A busy machine takes its time to load a table. */
const PATIENCE = 20_000;
vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: 2 * PATIENCE });

const ROOM = { t: "room", room: { code: "ABCDEF", you: 1, people: [], seats: [] }, seat: 0 };
const welcome = (match: string) => ({
  t: "welcome",
  match,
  title: "no-title-of-ours",
  seat: 0,
  names: ["Ada"],
  seed_hash: "",
  n: 1,
  scene: {
    view: {},
    awaited: { seats: [0] },
    said: [],
    players: ["person"],
    question: { id: 1, must: true, choices: [{ do: { do: "it" }, line: { key: "card.one" } }] },
    result: null,
  },
  missed: [],
});

type Words = Record<string, unknown>;
/** What was asked for, and how each is answered. */
let asked: { match: string; answer: (words: Words) => void; fail: (error: Error) => void }[];
let seat: Seat;
let shown: Record<string, unknown>;
const text = () => document.body.textContent ?? "";
const until = (so: () => void) =>
  vi.waitFor(() => {
    flushSync();
    so();
  }, PATIENCE);
const reads = (words: string) => until(() => expect(text()).toContain(words));
const wanted = (...matches: string[]) =>
  until(() => expect(asked.map(({ match }) => match)).toEqual(matches));

beforeEach(async () => {
  asked = [];
  vi.spyOn(api, "matchWords").mockImplementation(
    (match) => new Promise((answer, fail) => void asked.push({ match, answer, fail })),
  );
  vi.spyOn(api, "words").mockResolvedValue({});
  await voice.load("en", "");
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  seat = new Seat("ABCDEF", 0, overSocket("ABCDEF"));
  last().open().say(ROOM).say(welcome("m1"));
  shown = mount(Table, { target: document.body, props: { seat, looking: false } });
  await wanted("m1");
});
afterEach(() => {
  void unmount(shown);
  seat.close();
  document.body.innerHTML = "";
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("another match has other words, and nothing of the last one's is said until they are here", async () => {
  asked[0]!.answer({ "card.one": "ALPHA" });
  await reads("ALPHA");
  last().say(welcome("m2"));
  await wanted("m1", "m2");
  await until(() => expect(text()).not.toContain("ALPHA"));
  asked[1]!.answer({ "card.one": "BETA" });
  await reads("BETA");
});

it("words that come when another match is on are not said", async () => {
  last().say(welcome("m2"));
  await wanted("m1", "m2");
  asked[1]!.answer({ "card.one": "BETA" });
  await reads("BETA");
  const load = vi.spyOn(voice, "load");
  asked[0]!.answer({ "card.one": "ALPHA" });
  await Promise.resolve();
  expect(load).not.toHaveBeenCalled();
});

it("a request that is lost is said, and made again until it is answered", async () => {
  asked[0]!.fail(new Failed(0, { key: "web.offline" }));
  await reads(say("shell.words-late"));
  await wanted("m1", "m1");
  asked[1]!.fail(new Failed(503, { key: "serve.busy" }));
  await wanted("m1", "m1", "m1");
  asked[2]!.answer({ "card.one": "ALPHA" });
  await reads("ALPHA");
  expect(text()).not.toContain(say("shell.words-late"));
});

it("who may not have them is told why", async () => {
  asked[0]!.fail(new Failed(409, { key: "room.no-watching" }));
  await reads(say("room.no-watching"));
});

it.each([
  ["the track", trackOf, { table: {} }],
  ["the board", chartOf, { ...tram.scene.view, board: "" }],
])("%s of a table is that of its match, whatever the room has now", async (_, of, view) => {
  const data = vi.spyOn(api, "matchData").mockRejectedValue(new Failed(0, { key: "web.offline" }));
  for (const match of ["m1", "m2"]) {
    const sight: unknown = { code: "ABCDEF", match, scene: { view } };
    await expect(of(sight as never)).rejects.toThrow();
    expect(data).toHaveBeenLastCalledWith(match, expect.any(String));
  }
});
