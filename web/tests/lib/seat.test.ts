import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refused, Seat } from "../../src/lib/seat.svelte";

type Json = Record<string, unknown>;

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Json[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: () => void;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    if (this.readyState !== 1) throw new Error("not open");
    this.sent.push(JSON.parse(text) as Json);
  }
  close(): void {
    this.readyState = 3;
  }

  // --- what the other side does ---

  open(): this {
    this.readyState = 1;
    this.onopen?.();
    return this;
  }
  say(message: Json): this {
    this.onmessage?.({ data: JSON.stringify(message) });
    return this;
  }
  breaks(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  moves(): Json[] {
    return this.sent.filter((message) => message.t !== "hello");
  }
}

const last = () => FakeSocket.all[FakeSocket.all.length - 1]!;
const ROOM = { t: "room", room: { code: "ABCDEF", you: 1 }, seat: 0 };
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

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  seat = new Seat("ABCDEF", 0);
});

afterEach(() => {
  seat.close();
  vi.useRealTimers();
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

  it("unless the reason may pass", () => {
    last()
      .open()
      .say({ t: "refused", why: { key: "table.not-kept" } })
      .breaks();
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
    second.breaks();
    vi.advanceTimersByTime(250);
    expect(last().open().say(ROOM).moves()).toEqual([]);
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
    last().open().say(ROOM).breaks();
    vi.advanceTimersByTime(250);
    expect(tries()).toBe(5);
  });

  it("notices that the network is gone, and that nobody has said anything for long", () => {
    seated();
    dispatchEvent(new Event("offline"));
    expect(seat.link).toBe("away");
    vi.advanceTimersByTime(250);
    last().open().say(ROOM);
    vi.advanceTimersByTime(21_000);
    expect(last().moves()).toContainEqual({ t: "ping" });
    expect(seat.link).toBe("open");
    vi.advanceTimersByTime(41_000);
    expect(seat.link).toBe("away");
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

it("a line of chat is shown once", () => {
  const line = { t: "chat", n: 1, person: 1, name: "Ada", to: "table", text: "Ciao", at: 0 };
  seated().say(line).say(line);
  expect(seat.chat).toHaveLength(1);
});
