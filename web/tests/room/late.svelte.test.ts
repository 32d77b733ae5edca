/* Answers that come late, or not at all: what is newer stays, and one lost request is not in the way of the
   next. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { RoomView } from "../../src/generated/protocol";
import { Visit } from "../../src/screens/room/visit.svelte";
import { FakeSocket, last } from "../lib/fakesocket";

const room = (n: number, more: object = {}) =>
  ({
    code: "ABCDEF",
    phase: "open",
    match: "",
    seats: [{ kind: "person" }],
    people: [{ number: 1, name: "Ada" }],
    you: 1,
    host: 2,
    yours: [0],
    settings: {},
    n,
    ...more,
  }) as unknown as RoomView;
const news = (n: number, more: object = {}) => ({ t: "room", room: room(n, more), seat: 0 });
const playing = { phase: "playing", match: "m1" };

/** What was asked for, and is answered when the test says so; silent ones end when they are given up. */
class Asked {
  constructor(
    readonly body: { do: string; settings?: object } | null,
    readonly answer: (room: RoomView) => void,
  ) {}
}

let asked: Asked[];
let visit: Visit;

beforeEach(async () => {
  vi.useFakeTimers();
  asked = [];
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", (_: string, how: RequestInit) => {
    const body = how.body ? (JSON.parse(how.body as string) as Asked["body"]) : null;
    return new Promise<Response>((done, lose) => {
      how.signal?.addEventListener("abort", lose);
      asked.push(new Asked(body, (found) => done(new Response(JSON.stringify(found)))));
    });
  });
  visit = new Visit("ABCDEF");
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  asked[0]!.answer(room(1));
  await vi.waitFor(() => expect(visit.seat).not.toBeNull());
  last().open().say(news(1));
});
afterEach(() => {
  visit.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What was asked for last, once it was. */
const request = () => vi.waitFor(() => asked[1]!.body && asked.at(-1)!);

it("a match that began is not over because an older answer says nothing of it", async () => {
  const done = visit.act("dock", { do: "ready", ready: true });
  const ready = await request();
  last().say(news(3, playing));
  ready!.answer(room(2));
  expect(await done).toBe(true);
  expect(visit.room).toMatchObject(playing);
});

it("an answer that is newer than the news counts, and older news that follow do not", async () => {
  const done = visit.set("house", { public: true });
  const change = await request();
  change!.answer(room(5, { settings: { public: true } }));
  await done;
  last().say(news(4));
  expect(visit.room?.settings).toEqual({ public: true });
  last().say(news(6));
  expect(visit.room?.settings).toEqual({});
});

it("who came meanwhile is not gone again", async () => {
  const done = visit.act("dock", { do: "ready", ready: true });
  const ready = await request();
  last().say({ t: "presence", came: [{ number: 2, name: "Bea", present: true }], n: 3 });
  ready!.answer(room(2));
  await done;
  expect(visit.room?.people.map(({ name }) => name)).toEqual(["Ada", "Bea"]);
});

it("another server counts anew", () => {
  last().say(news(9, playing));
  last().breaks();
  vi.advanceTimersByTime(1000);
  last().open().say(news(1));
  expect(visit.room?.phase).toBe("open");
});

it("a setting whose request was lost does not block the next one", async () => {
  const first = visit.set("house", { public: true });
  const second = visit.set("house", { locked: true });
  await request();
  for (let seconds = 0; seconds < 15; seconds += 3) {
    last().say({ t: "pong" });
    await vi.advanceTimersByTimeAsync(3000);
  }
  expect(await first).toBe(false);
  const next = asked.at(-1)!;
  expect(next.body).toMatchObject({ do: "configure", settings: { locked: true } });
  next.answer(room(2, next.body!));
  expect(await second).toBe(true);
});

it("whether it was done is asked for where nobody tells", async () => {
  const done = visit.act("dock", { do: "ready", ready: true });
  await request();
  last().breaks();
  await vi.advanceTimersByTimeAsync(15_000);
  const look = asked.at(-1)!;
  expect(look.body).toBeNull();
  look.answer(room(4, { seats: [{ kind: "person", ready: true }] }));
  expect(await done).toBe(false);
  expect(visit.room?.seats[0]).toMatchObject({ ready: true });
  expect(visit.faults.dock).toEqual({ key: "web.unanswered" });
  expect(asked.filter(({ body }) => body)).toHaveLength(1);
});
