import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refused } from "../../src/lib/refused";
import { Seat } from "../../src/lib/seat.svelte";
import { MOST_LINES } from "../../src/lib/lines";
import rest from "../../../src/capolinea/server/rest.py?raw";
import settings from "../../../src/capolinea/server/settings.py?raw";
import { overSocket } from "../../src/lib/socket";
import { FakeSocket, last, type Json } from "./fakesocket";

const chairs = (...names: string[]) => ({
  t: "room",
  room: { code: "ABCDEF", you: 1, seats: names.map((name) => ({ kind: "person", name })) },
  seat: 0,
});
const ROOM = chairs("Ada", "Bruno");
const scene = (
  question: Json | null = { id: 7, must: true, choices: [{ do: { do: "pass" } }] },
) => ({
  view: { speed: 90 },
  awaited: { seats: [0] },
  said: [],
  players: ["person"],
  question,
  result: null,
});
const welcome = (more: Json = {}) => ({
  t: "welcome",
  match: "m1",
  title: "stop-the-train",
  seat: 0,
  names: ["Ada"],
  seed_hash: "",
  n: 2,
  scene: scene(),
  missed: [
    { n: 1, events: [{ key: "event.a" }] },
    { n: 2, events: [{ key: "event.b" }] },
  ],
  private: {},
  ...more,
});

let seat: Seat;

function seated(): FakeSocket {
  return last().open().say(ROOM).say(welcome());
}

/** The next attempt after a connection broke: the pauses are as they stand, chance adds nothing. */
function back(): FakeSocket {
  const before = FakeSocket.all.length;
  vi.advanceTimersByTime(250);
  expect(FakeSocket.all).toHaveLength(before + 1);
  return last();
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  seat = new Seat("ABCDEF", 0, overSocket("ABCDEF"));
});

afterEach(() => {
  seat.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("coming in", () => {
  it("says which seat, and what it has seen", () => {
    expect(last().url).toMatch(/^ws:\/\/.*\/api\/rooms\/ABCDEF\/socket$/);
    expect(seat.link).toBe("connecting");
    last().open();
    expect(last().sent).toEqual([{ t: "hello", seat: 0, match: "", seen: 0 }]);
    last().say(ROOM);
    expect(seat.link).toBe("open");
    last().say(welcome());
    expect([seat.match, seat.number, seat.n, seat.must]).toEqual(["m1", 0, 2, true]);
    expect(seat.happened.map(({ n }) => n)).toEqual([1, 2]);
  });

  it("frames change what is seen", () => {
    seated().say({
      t: "frame",
      match: "m1",
      n: 3,
      events: [{ key: "event.c" }],
      delta: [
        [["view", "speed"], 120],
        [["question"], null],
      ],
    });
    expect(seat.scene).toMatchObject({ view: { speed: 120 }, question: null });
    expect(seat.happened.map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(seat.must).toBe(false);
  });

  it("an answer that is held is asked no more", () => {
    seated().say({ t: "private", private: { held_question: 7 } });
    expect(seat.must).toBe(false);
  });

  it("who is not let in does not try again", () => {
    last()
      .open()
      .say({ t: "refused", why: { key: "room.locked" } })
      .breaks();
    expect(seat.ended).toEqual({ key: "room.locked" });
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it.each(["table.not-kept", "table.not-read", "serve.our-fault"])("unless %s", (key) => {
    last().open().say({ t: "refused", why: { key } }).breaks();
    expect(seat.ended).toBeNull();
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("who is sent out is gone", () => {
    seated().say({ t: "bye", why: "removed" }).breaks();
    expect(seat.ended).toEqual({ key: "room.removed" });
    expect(seat.link).toBe("closed");
  });
});

describe("asking", () => {
  it("waits for the connection, and says for which match and question it is", async () => {
    const done = seat.do([{ do: "pass" }]);
    expect(seat.sending).toBe(1);
    last().open();
    expect(last().moves()).toEqual([]);
    last().say(ROOM);
    expect(last().moves()).toHaveLength(1);
    last().say({ t: "done", id: last().moves()[0]!.id });
    await expect(done).resolves.toMatchObject({ t: "done" });
    expect(seat.sending).toBe(0);

    last().say(welcome());
    void seat.do([{ do: "pass" }]);
    expect(last().moves()[1]).toMatchObject({
      t: "do",
      match: "m1",
      question: 7,
      do: [{ do: "pass" }],
    });
  });

  it("a refusal says why", async () => {
    const done = seated() && seat.do([{ do: "pass" }]);
    last().say({ t: "refused", id: last().moves()[0]!.id, why: { key: "table.late" } });
    await expect(done).rejects.toEqual(new Refused({ key: "table.late" }));
    expect(seat.ended).toBeNull();
  });

  it("every question has its own name", () => {
    seated();
    void seat.do([{ do: "pass" }]);
    void seat.preview([{ do: "pass" }]);
    void seat.write("hello");
    const names = last()
      .moves()
      .map(({ id }) => id);
    expect(new Set(names).size).toBe(3);
  });

  it("an answer that nobody waits for is no answer", () => {
    seated().say({ t: "done", id: "somebody-else" });
    expect(seat.sending).toBe(0);
  });
});

describe("a broken connection", () => {
  it("comes back with what it has seen, sends again what was not answered, and only that", async () => {
    const first = seated();
    const answered = seat.do([{ do: "pass" }]);
    first.say({ t: "done", id: first.moves()[0]!.id });
    await answered;
    const lost = seat.do([{ do: "pass" }]);
    first.breaks();
    expect(seat.link).toBe("away");
    expect(seat.sending).toBe(1);
    const meanwhile = seat.say({ claim: 1 });
    expect(first.moves()).toHaveLength(2);

    vi.advanceTimersByTime(250);
    const second = last().open();
    expect(second.sent).toEqual([{ t: "hello", seat: 0, match: "m1", seen: 2 }]);
    second.say(ROOM);
    expect(second.moves().map(({ t }) => t)).toEqual(["do", "say"]);
    // The same name as before: it counts once.
    expect(second.moves()[0]).toEqual(first.moves()[1]);
    for (const { id } of second.moves()) second.say({ t: "done", id });
    await Promise.all([lost, meanwhile]);
    vi.advanceTimersByTime(2000);
    second.breaks();
    expect(back().open().say(ROOM).moves()).toEqual([]);
  });

  it("is told only what it missed", () => {
    seated().breaks();
    vi.advanceTimersByTime(250);
    last()
      .open()
      .say(ROOM)
      .say(welcome({ n: 3, missed: [{ n: 3, events: [{ key: "event.c" }] }] }));
    expect(seat.happened.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it("or everything anew, if the server knows less", () => {
    seated().breaks();
    vi.advanceTimersByTime(250);
    last()
      .open()
      .say(ROOM)
      .say(welcome({ n: 1, missed: [{ n: 1, events: [{ key: "event.a" }] }] }));
    expect(seat.happened.map(({ n }) => n)).toEqual([1]);
  });

  it("what is still asked is still the same thing", () => {
    seated();
    const question = seat.question;
    last().breaks();
    vi.advanceTimersByTime(250);
    last()
      .open()
      .say(ROOM)
      .say(welcome({ missed: [] }));
    expect(seat.question).toBe(question);
    last().say(welcome({ missed: [], scene: scene({ id: 8, must: true, choices: [] }) }));
    expect(seat.question?.id).toBe(8);
  });

  it("another match begins with an empty log", () => {
    seated().say(welcome({ match: "m2", missed: [{ n: 1, events: [] }], n: 1 }));
    expect(seat.happened).toHaveLength(1);
  });

  it("what the old connection still says comes too late", () => {
    const first = seated();
    void seat.do([{ do: "pass" }]);
    first.breaks();
    vi.advanceTimersByTime(250);
    last().open().say(ROOM);
    first.say({ t: "frame", match: "m1", n: 9, events: [], delta: [[["view"], null]] });
    expect(seat.n).toBe(2);
    first.breaks();
    expect(seat.link).toBe("open");
  });

  it("tries again after longer and longer pauses, and at once when the network is back", () => {
    seated().breaks();
    const tries = () => FakeSocket.all.length - 1;
    for (const [pause, count] of [
      [250, 1],
      [450, 1],
      [100, 2],
      [1100, 3],
      [1000, 3],
    ] as const) {
      vi.advanceTimersByTime(pause);
      expect(tries()).toBe(count);
      if (last().readyState === 0) last().breaks();
    }
    dispatchEvent(new Event("online"));
    expect(tries()).toBe(4);
  });

  it("begins with the shortest pause again once a connection held", () => {
    seated().breaks();
    for (let n = 0; n < 3; n += 1) {
      vi.advanceTimersByTime(5000);
      last().breaks();
    }
    vi.advanceTimersByTime(5000);
    last().open().say(ROOM);
    vi.advanceTimersByTime(2000);
    last().breaks();
    back();
  });

  it("does not storm a server that lets in and breaks off", () => {
    seated().breaks();
    for (let n = 0; n < 400; n += 1) {
      if (last().readyState === 0) last().open().say(ROOM).breaks();
      vi.advanceTimersByTime(100);
    }
    // In 40 s: four short pauses, then one attempt every five seconds.
    expect(FakeSocket.all.length).toBeLessThan(15);
  });

  it("does not come back at the same moment as everybody else", () => {
    vi.mocked(Math.random).mockReturnValue(0.99);
    seated().breaks();
    vi.advanceTimersByTime(290);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(10);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("closed is closed", () => {
    seated();
    seat.close();
    last().breaks();
    vi.advanceTimersByTime(60_000);
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(1);
    expect(seat.link).toBe("closed");
  });
});

describe("what was lost while the connection was away", () => {
  const refused = (key: string) => ({ t: "refused", why: { key } });

  it.each(["room.not-yours", "room.no-watching", "room.removed", "room.locked", "room.unknown"])(
    "%s: it is said, and not asked for ever",
    (key) => {
      seated().breaks();
      back().open().say(refused(key)).breaks();
      expect([seat.ended, seat.link]).toEqual([{ key }, "closed"]);
      vi.advanceTimersByTime(60_000);
      dispatchEvent(new Event("online"));
      expect(FakeSocket.all).toHaveLength(2);
    },
  );

  it("also by who says hello only to look again", () => {
    seated();
    seat.setAside();
    seat.takeUp();
    last().open().say(refused("room.not-yours"));
    expect(seat.ended).toEqual({ key: "room.not-yours" });
  });

  const passing = [...rest.matchAll(/refusal\(503, Problem\("(.+?)"\)\)/g)].map(([, key]) => key!);
  it.each([...passing, "serve.busy", "serve.our-fault"])("but not by %s", (key) => {
    seated().breaks();
    back().open().say(refused(key)).breaks();
    expect([seat.ended, seat.link]).toEqual([null, "away"]);
    vi.advanceTimersByTime(600);
    expect(last().open().say(ROOM)).toBe(FakeSocket.all[2]);
    expect(seat.link).toBe("open");
  });

  it("nor by anything that is refused to who is in", () => {
    seated().breaks();
    back().open().say(ROOM).say(refused("room.not-yours"));
    expect([seat.ended, seat.link]).toEqual([null, "open"]);
  });

  it("nobody opens: whoever can ask why is told, for each attempt", () => {
    const shut = vi.fn();
    const other = new Seat("ABCDEF", 0, overSocket("ABCDEF", shut));
    last().open().say(ROOM).breaks();
    expect(shut).not.toHaveBeenCalled();
    back().breaks();
    expect(shut).toHaveBeenCalledTimes(1);
    other.close();
  });
});

describe("what is told and not answered", () => {
  const VOTE = { t: "vote", proposal: 1, agree: true } as const;

  it("goes out, and only once", () => {
    const first = seated();
    seat.tell(VOTE);
    expect(first.moves()).toEqual([VOTE]);
    first.breaks();
    expect(back().open().say(ROOM).moves()).toEqual([]);
  });

  it("is not told to who has not let us in, and it is seen that it cannot be", () => {
    last().open();
    expect(seat.unsent).toBe(true);
    seat.tell(VOTE);
    expect(last().moves()).toEqual([]);
  });

  it("is not swallowed by a connection that is closing without a sign of it", () => {
    seated().readyState = 2;
    seat.tell(VOTE);
    expect([seat.link, seat.unsent]).toEqual(["away", true]);
  });
});

describe("a connection that died without a word", () => {
  const silent = (ms: number) => vi.advanceTimersByTime(ms);

  it("is asked whether it lives, and given up nine seconds after its last word", () => {
    const first = seated();
    silent(3000);
    first.say({ t: "status", match: "m1", present: [0] });
    silent(8990);
    expect(first.moves()).toEqual([{ t: "ping" }]);
    expect(seat.link).toBe("open");
    silent(10);
    expect(seat.link).toBe("away");
    silent(1);
    expect(last().open().sent).toEqual([{ t: "hello", seat: 0, match: "m1", seen: 2 }]);
  });

  it("lives as long as it answers", () => {
    const first = seated();
    for (let n = 1; n <= 10; n += 1) {
      silent(4000);
      expect(first.moves()).toHaveLength(n);
      silent(4000);
      first.say({ t: "pong" });
    }
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("is not waited for for ever when it does not even open", () => {
    seated().breaks();
    back();
    silent(12_000);
    expect(FakeSocket.all).toHaveLength(2);
    silent(500);
    expect(FakeSocket.all).toHaveLength(3);
    // Nor when it opens, and nobody lets us in.
    last().open();
    silent(24_000);
    expect(last().readyState).toBe(3);
    silent(1000);
    expect(FakeSocket.all).toHaveLength(4);
  });

  it.each([2.5, 4, 9])(
    "but the way may be long: with %s s for there and back one gets in",
    (trip) => {
      seated().breaks();
      back();
      // TCP, TLS and the upgrade take three, the first word a fourth. Meanwhile somebody looks again.
      const inside = () => seat.link === "open";
      for (let tries = 0; !inside() && tries < 4; tries += 1) {
        const one = last();
        for (let way = 1; way <= 4 && one === last(); way += 1) {
          silent(trip * 1000);
          document.dispatchEvent(new Event("visibilitychange"));
          if (one.readyState === 0 && way === 3) one.open();
          if (one.readyState === 1 && way === 4) one.say(ROOM);
        }
        if (!inside()) silent(3000);
      }
      expect(inside()).toBe(true);
    },
  );

  it("and on a long way an answer is waited for twice as long as that takes", () => {
    last().open();
    silent(2500);
    last().say(ROOM).say(welcome());
    void seat.do([{ do: "pass" }]);
    silent(3000);
    last().say({ t: "pong" });
    silent(1990);
    expect(seat.link).toBe("open");
    silent(10);
    expect(seat.link).toBe("away");
  });

  it("once somebody has answered, the next one is given up as early as the first", () => {
    seated().breaks();
    back();
    silent(12_500);
    last().open().say(ROOM).breaks();
    silent(5000);
    const again = last();
    silent(12_000);
    expect(again.readyState).toBe(3);
  });

  it("says at once that the network is gone", () => {
    const first = seated();
    void seat.do([{ do: "pass" }]);
    expect(seat.unsent).toBe(false);
    dispatchEvent(new Event("offline"));
    expect([seat.link, seat.unsent]).toEqual(["away", true]);
    expect(first.readyState).toBe(3);
    // An attempt that was under way when the network went is no better.
    back();
    dispatchEvent(new Event("offline"));
    silent(400);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("is left at once by who was asleep", () => {
    const first = seated();
    vi.setSystemTime(Date.now() + 60_000);
    document.dispatchEvent(new Event("visibilitychange"));
    expect(first.readyState).toBe(3);
    silent(0);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("is only asked by who looked away for a moment", () => {
    const first = seated();
    silent(1000);
    document.dispatchEvent(new Event("visibilitychange"));
    expect(first.moves()).toEqual([{ t: "ping" }]);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("while nobody looks nothing is hurried", () => {
    seated().breaks();
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSocket.all).toHaveLength(1);
  });
});

describe("an answer that does not come", () => {
  it("is asked for again on another connection after two and a half seconds, under the same name", async () => {
    const first = seated();
    const done = seat.do([{ do: "pass" }]);
    vi.advanceTimersByTime(2490);
    expect([seat.link, seat.unsent]).toEqual(["open", false]);
    vi.advanceTimersByTime(10);
    expect([seat.link, seat.unsent, seat.sending]).toEqual(["away", true, 1]);
    vi.advanceTimersByTime(1);
    const second = last();
    expect(second).not.toBe(first);
    second.open().say(ROOM);
    expect(seat.unsent).toBe(false);
    expect(second.moves()).toEqual(first.moves());
    second.say({ t: "done", id: second.moves()[0]!.id });
    await done;
    expect(seat.sending).toBe(0);
  });

  it("is given more time with each attempt: a slow server is not run over", () => {
    seated();
    void seat.do([{ do: "pass" }]);
    const waits: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      const began = Date.now();
      const one = last();
      const pong = setInterval(() => one.say({ t: "pong" }), 1000);
      for (let ms = 0; ms < 20_000 && seat.link === "open"; ms += 100) vi.advanceTimersByTime(100);
      waits.push(Date.now() - began);
      clearInterval(pong);
      vi.advanceTimersByTime(1);
      last().open().say(ROOM).say(welcome());
    }
    expect(waits).toEqual([2500, 5000, 9000, 9000]);
  });

  it("what has come is not waited for any longer", () => {
    seated();
    void seat.do([{ do: "pass" }]);
    last().say({ t: "done", id: last().moves()[0]!.id });
    vi.advanceTimersByTime(3900);
    expect(seat.link).toBe("open");
  });

  it("unless it takes thought", () => {
    seated();
    void seat.hint();
    vi.advanceTimersByTime(3900);
    expect(seat.link).toBe("open");
  });

  it("what the old connection still says of it is not heard", () => {
    const first = seated();
    let answers = 0;
    void seat.do([{ do: "pass" }]).then(() => (answers += 1));
    vi.advanceTimersByTime(2501);
    first
      .say({ t: "frame", match: "m1", n: 3, events: [{ key: "event.c" }], delta: [] })
      .say({ t: "done", id: first.moves()[0]!.id });
    expect([seat.n, seat.sending, answers]).toEqual([2, 1, 0]);
    last()
      .open()
      .say(ROOM)
      .say(welcome({ n: 3, missed: [{ n: 3, events: [{ key: "event.c" }] }] }));
    expect(seat.happened.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it("a connection that is closing takes nothing more", () => {
    const first = seated();
    first.readyState = 2;
    void seat.do([{ do: "pass" }]);
    expect([seat.link, seat.unsent]).toEqual(["away", true]);
    expect(back().open().say(ROOM).moves()).toHaveLength(1);
  });
});

describe("numbered frames", () => {
  const frame = (n: number, match = "m1") => ({
    t: "frame",
    match,
    n,
    events: [{ key: `event.${n}` }],
    delta: [[["view", "speed"], n * 10]],
  });
  const speed = () => (seat.scene?.view as { speed: number }).speed;

  it.each([
    ["one is missing", frame(4)],
    ["it is of a match that nobody spoke of", frame(3, "m2")],
  ])("%s: nothing is drawn from the rest, and what is missing is asked for", (_, odd) => {
    const first = seated();
    first.say(odd).say(frame(5)).say(frame(3));
    expect([seat.n, speed(), seat.link]).toEqual([2, 90, "away"]);
    vi.advanceTimersByTime(200);
    expect(last().open().sent).toEqual([{ t: "hello", seat: 0, match: "m1", seen: 2 }]);
    const missed = [3, 4, 5].map((n) => ({ n, events: [] }));
    last()
      .say(ROOM)
      .say(welcome({ n: 5, missed }));
    last().say(frame(6));
    expect(seat.happened.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(speed()).toBe(60);
  });

  it("one that is there already changes nothing", () => {
    seated().say(frame(2)).say(frame(1));
    expect([seat.n, speed(), seat.link]).toEqual([2, 90, "open"]);
    expect(seat.happened).toHaveLength(2);
  });

  it("a server that always leaves some out is not run over", () => {
    seated().say(frame(9));
    for (let n = 0; n < 300; n += 1) {
      if (last().readyState === 0) last().open().say(ROOM).say(welcome()).say(frame(9));
      vi.advanceTimersByTime(100);
    }
    expect(FakeSocket.all.length).toBeLessThan(12);
  });
});

describe("a hint", () => {
  const asked = () => {
    const done = seat.hint();
    const { id } = last().moves().at(-1)!;
    return { id, done };
  };
  const answer = (id: unknown, question = 7) => ({
    t: "hint",
    id,
    question,
    do: [{ do: "pass" }],
    lines: [{ key: "action.pass" }],
  });

  it("stands until it is read", async () => {
    seated();
    const { id, done } = asked();
    expect(seat.hinted).toBe(null);
    last().say(answer(id));
    await done;
    expect(seat.hinted).toMatchObject({ do: [{ do: "pass" }], lines: [{ key: "action.pass" }] });
    seat.dismiss();
    expect(seat.hinted).toBe(null);
  });

  it("goes with its question", async () => {
    seated();
    const { id, done } = asked();
    last().say(answer(id));
    await done;
    last().say(welcome({ missed: [], scene: scene({ id: 8, must: true, choices: [] }) }));
    expect(seat.hinted).toBe(null);
  });

  it("is about what the table was asking when it thought", async () => {
    seated();
    const { id, done } = asked();
    last().say(answer(id, 8));
    await done;
    expect(seat.hinted).toBe(null);
    last().say(welcome({ missed: [], scene: scene({ id: 8, must: true, choices: [] }) }));
    expect(seat.hinted).toMatchObject({ do: [{ do: "pass" }] });
  });

  it("that comes too late is none", async () => {
    seated();
    const { id, done } = asked();
    last().say(welcome({ missed: [], scene: scene({ id: 8, must: true, choices: [] }) }));
    last().say(answer(id));
    await done;
    expect(seat.hinted).toBe(null);
    last().say(welcome({ missed: [], scene: scene(null) }));
    expect(seat.hinted).toBe(null);
  });
});

describe("the chat", () => {
  const line = (n: number, to = "table") => ({
    t: "chat",
    n,
    person: 1,
    name: "Ada",
    to,
    text: `line ${n}`,
    at: 0,
  });
  const shown = () => seat.chat.map(({ n }) => n);
  const many = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  it("has each line once, in its place", () => {
    const socket = seated();
    for (const n of [1, 4, 1, 2, 4, 3]) socket.say(line(n));
    expect(shown()).toEqual([1, 2, 3, 4]);
  });

  it("does not grow without end, and a server that remembers more changes nothing", () => {
    expect(MOST_LINES).toBe(Number(/chat_lines: .* = (\d+)/.exec(settings)![1]));
    const socket = seated();
    for (const n of many(1, 5000)) socket.say(line(n));
    const last = many(5001 - MOST_LINES, 5000);
    expect(shown()).toEqual(last);
    for (const n of many(4000, 5000)) socket.say(line(n));
    expect(shown()).toEqual(last);
  });

  it("keeps what a team said as long as its match is on the table", () => {
    const socket = seated().say(line(1)).say(line(2, "team"));
    socket.say(welcome());
    expect(shown()).toEqual([1, 2]);
    socket.say(welcome({ match: "m2" }));
    expect(shown()).toEqual([1]);
  });

  it("and as long as it is the seat of that team", () => {
    const socket = seated().say(line(1)).say(line(2, "team"));
    socket.say(welcome({ seat: null }));
    expect(shown()).toEqual([1]);
  });
});

describe("somebody else sits there when we come back", () => {
  const moved = chairs("Bruno", "Ada");

  it("what was told is gone, and they are told everything", () => {
    seated()
      .say({ t: "private", private: { notes: "of Ada" } })
      .breaks();
    back().open().say(moved);
    expect([seat.scene, seat.own, seat.happened, seat.match]).toEqual([null, null, [], ""]);
    last().open().say(moved);
    expect(last().sent).toEqual([{ t: "hello", seat: 0, match: "", seen: 0 }]);
    expect(seat.link).toBe("open");
  });

  it("what was asked is not asked for them", async () => {
    const first = seated();
    const kept = seat.keep({ notes: "of Ada" });
    first.breaks();
    back().open().say(moved);
    await expect(kept).rejects.toBeInstanceOf(Refused);
    last()
      .open()
      .say(moved)
      .say(welcome({ seat: 1 }));
    expect(FakeSocket.all.slice(1).flatMap((socket) => socket.moves())).toEqual([]);
  });

  it("but who is told where the chair is now stays who they are", () => {
    const first = seated();
    void seat.keep({ notes: "of Ada" });
    first.say({ ...moved, seat: 1 }).breaks();
    back()
      .open()
      .say({ ...moved, seat: 1 });
    expect(last().moves()).toHaveLength(1);
    expect(seat.match).toBe("m1");
  });
});
