/* Several people at one screen: what a seat keeps while its person does not look. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Seat } from "../../src/lib/seat.svelte";
import { overSocket } from "../../src/lib/socket";
import { FakeSocket, last } from "./fakesocket";

const SECRET = "only Ada knows";
const ROOM = { t: "room", room: { code: "ABCDEF", you: 1 }, seat: 0 };
const question = (id: number, must = true) => ({
  id,
  must,
  choices: [{ do: { do: SECRET }, line: { key: SECRET } }],
});
const WELCOME = {
  t: "welcome",
  match: "m1",
  title: "stop-the-train",
  seat: 0,
  names: ["Ada", "Bruno"],
  seed_hash: "",
  n: 1,
  scene: {
    view: { own: SECRET },
    awaited: { seats: [0] },
    said: [],
    players: ["person", "person"],
    question: question(1),
    result: null,
  },
  missed: [{ n: 1, events: [{ key: SECRET }] }],
  private: { notes: SECRET, held: [{ do: SECRET }], held_question: 9 },
};
const CHAT = { t: "chat", n: 1, person: 1, name: "Bruno", to: "team", text: SECRET, at: 0 };
const frame = (n: number, ...delta: unknown[]) => ({
  t: "frame",
  match: "m1",
  n,
  events: [{ key: SECRET }],
  delta: [[["view", "own"], SECRET], ...delta],
});

/** All that a seat holds, private or not. */
function held(seat: Seat): string {
  const { link, room, match, scene, own, chat, happened, hinted, status } = seat;
  return JSON.stringify({ link, room, match, scene, own, chat, happened, hinted, status });
}

let seat: Seat;
beforeEach(() => {
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  seat = new Seat("ABCDEF", 0, overSocket("ABCDEF"));
  last().open().say(ROOM).say(WELCOME).say(CHAT);
});
afterEach(() => {
  seat.close();
  vi.unstubAllGlobals();
});

test("what it was told is let go when its person does not look", () => {
  expect(held(seat)).toContain(SECRET);
  seat.setAside();
  expect(held(seat)).not.toContain(SECRET);
});

test("what it is told meanwhile is not kept", () => {
  seat.setAside();
  last()
    .say(WELCOME)
    .say(CHAT)
    .say(frame(2))
    .say(frame(3, [["question"], question(2)]))
    .say(frame(4, [["question", "choices", 0], question(2).choices[0]]))
    .say({ t: "private", private: WELCOME.private });
  expect(held(seat)).not.toContain(SECRET);
});

test("whether the game waits for it is known all the same", () => {
  seat.setAside();
  expect(seat.must).toBe(true);
  last().say(frame(2, [["question"], null]));
  expect(seat.must).toBe(false);
  last().say(frame(3, [["question"], question(2)]));
  expect(seat.must).toBe(true);
  last().say(frame(4, [["question", "must"], false]));
  expect(seat.must).toBe(false);
  last().say(frame(5, [["question", "must"], true], [["question", "id"], 3]));
  expect(seat.must).toBe(true);
  last().say({ t: "private", private: { held: [{ do: SECRET }], held_question: 3 } });
  expect(seat.must).toBe(false);
});

test("who looks again is told everything anew, and has never seemed to leave", () => {
  const before = last();
  seat.setAside();
  seat.takeUp();
  expect(last()).not.toBe(before);
  expect(before.readyState).toBe(1);
  last().open().say(ROOM);
  expect(last().sent).toEqual([{ t: "hello", seat: 0, match: "m1", seen: 0 }]);
  before.say(frame(2));
  expect(before.readyState).toBe(3);
  last().say(WELCOME).say(CHAT);
  expect(seat.scene).toEqual(WELCOME.scene);
  expect(seat.happened).toEqual(WELCOME.missed);
  expect(seat.chat).toHaveLength(1);
});

test("what was sent before the screen was handed over counts, and what was only asked is not answered", async () => {
  const sent = seat.do([{ do: "pass" }]);
  const asked = seat.preview([{ do: "pass" }]);
  seat.setAside();
  await expect(asked).rejects.toThrow();
  seat.takeUp();
  last().open().say(ROOM);
  expect(last().sent.map((one) => one.t)).toEqual(["hello", "do"]);
  last().say({ t: "done", id: last().sent[1]!.id });
  await expect(sent).resolves.toMatchObject({ t: "done" });
});

test("what is sent again when its person looks again is waited for anew", () => {
  vi.useFakeTimers();
  try {
    void seat.keep({ notes: "Bruno?" });
    const { id } = last().moves().at(-1)!;
    seat.setAside();
    seat.takeUp();
    last().open().say(ROOM).say({ t: "done", id });
    vi.advanceTimersByTime(3000);
    expect(seat.link).toBe("open");
  } finally {
    vi.useRealTimers();
  }
});
