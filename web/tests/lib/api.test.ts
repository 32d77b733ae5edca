/* Requests in a bad network: every one has an end, what only looks is asked for again, and what may have been
   done is not done twice. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ahead, api, type Failed } from "../../src/lib/api";

/** Longer than anything is waited for. */
const LONG = 10 * 60_000;

/** A server that answers the first few requests as told, and is silent then. */
function network(...answers: (typeof fetch)[]) {
  const asked = vi.fn<typeof fetch>((path, how) => (answers.shift() ?? silent)(path, how));
  vi.stubGlobal("fetch", asked);
  return asked;
}

/** Nothing comes: what is waited for ends when whoever waits says so. */
const silent: typeof fetch = (_, how) =>
  new Promise((__, lose) => how?.signal?.addEventListener("abort", lose));
const says =
  (answer: unknown, status = 200) =>
  () =>
    Promise.resolve(new Response(JSON.stringify(answer), { status }));
const breaks = () => Promise.reject(new TypeError("gone"));

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What becomes of it, however long that takes. */
async function end(work: Promise<unknown>): Promise<unknown> {
  let found: unknown = "waits for ever";
  work.then(
    (answer) => (found = answer),
    (failed: Failed) => (found = failed.why.key),
  );
  await vi.advanceTimersByTimeAsync(LONG);
  return found;
}

const LOOKS: Record<string, () => Promise<unknown>> = {
  titles: () => api.titles(),
  words: () => api.words("en", "t"),
  me: () => api.me(),
  rooms: () => api.rooms(),
  room: () => api.room("ABCDEF"),
  knock: () => api.knock("ABCDEF"),
  match: () => api.match("m"),
  replay: () => api.replay("m", "spectator"),
  matchWords: () => api.matchWords("m", "en"),
  matchData: () => api.matchData("m", "track"),
};
const DEEDS: Record<string, () => Promise<unknown>> = {
  create: () => api.create({ title: "t" }),
  command: () => api.command("ABCDEF", { do: "ready" }),
  bring: () => api.bring("ABCDEF", "track", new File(["{}"], "a.json")),
  seatLink: () => api.seatLink("ABCDEF", 0),
  useKey: () => api.useKey("ABCDEF", 0, "key"),
  upload: () => api.upload("{}"),
  playOn: () => api.playOn("m", { entries: 0, seat: 0 }),
};

it("nothing else can be asked for", () => {
  expect(Object.keys(api).sort()).toEqual([...Object.keys(LOOKS), ...Object.keys(DEEDS)].sort());
});

it.each(Object.entries(LOOKS))("%s: what only looks is asked for again", async (_, ask) => {
  const asked = network(silent, says({ found: true }));
  expect(await end(ask())).toEqual({ found: true });
  expect(asked).toHaveBeenCalledTimes(2);
});

it.each(Object.entries(LOOKS))("%s: and then it is said that nobody is there", async (_, ask) => {
  network();
  expect(await end(ask())).toBe("web.offline");
});

it.each(Object.entries(DEEDS))("%s: what is done is sent once, and has an end", async (_, ask) => {
  const asked = network();
  expect(await end(ask())).toBe("web.unanswered");
  expect(asked).toHaveBeenCalledOnce();
});

it("a connection that breaks is an end, too", async () => {
  const asked = network(breaks);
  expect(await end(api.create({ title: "t" }))).toBe("web.offline");
  expect(asked).toHaveBeenCalledOnce();
  network(breaks, says([]));
  expect(await end(api.rooms())).toEqual([]);
});

it("an answer that stops in the middle", async () => {
  const asked = vi.fn<typeof fetch>((_, how) =>
    Promise.resolve({
      ok: true,
      text: () => new Promise((__, lose) => how?.signal?.addEventListener("abort", lose)),
    } as unknown as Response),
  );
  vi.stubGlobal("fetch", asked);
  expect(await end(api.room("ABCDEF"))).toBe("web.offline");
});

it("a refusal is an answer: it is not asked for again", async () => {
  const asked = network(says({ why: { key: "room.unknown" } }, 404));
  expect(await end(api.room("ABCDEF"))).toBe("room.unknown");
  expect(asked).toHaveBeenCalledOnce();
});

it("a slow answer is waited for", async () => {
  network(
    () => new Promise((done) => setTimeout(() => done(new Response('{"code":"ABCDEF"}')), 14_000)),
  );
  expect(await end(api.create({ title: "t" }))).toEqual({ code: "ABCDEF" });
});

it("what was asked for ahead is there for the first who asks, and new for the next", async () => {
  const asked = network(says("early"), says("later"));
  ahead.room("ABCDEF");
  expect(asked).toHaveBeenCalledTimes(1);
  expect(await end(api.room("ABCDEF"))).toBe("early");
  expect(asked).toHaveBeenCalledTimes(1);
  expect(await end(api.room("ABCDEF"))).toBe("later");
});

it("what failed ahead fails for whoever needs it, and nowhere else", async () => {
  network(says({ why: { key: "room.unknown" } }, 404));
  ahead.room("ABCDEF");
  await vi.advanceTimersByTimeAsync(LONG);
  expect(await end(api.room("ABCDEF"))).toBe("room.unknown");
});
