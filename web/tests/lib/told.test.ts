/* A title that did not come with the pages speaks the words that the server has of it, or none. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, Failed } from "../../src/lib/api";
import { name, tell, voice } from "../../src/lib/words/index.svelte";

const OFFLINE = new Failed(0, { key: "web.offline" });
const rolled = { key: "event.rolled", args: { seat: 0, pips: 3, cards: ["a", "b"] } };

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("they are asked for until they come, and then not again", async () => {
  const words = vi
    .spyOn(api, "words")
    .mockRejectedValueOnce(OFFLINE)
    .mockRejectedValueOnce(OFFLINE);
  words.mockResolvedValue({ "event.rolled": "{seat:seat} wirft eine {pips}." });
  const loaded = voice.load("de", "coast-mail");
  await vi.runAllTimersAsync();
  await loaded;
  expect(words.mock.calls).toEqual(Array(3).fill(["de", "coast-mail"]));
  expect(tell(rolled, ["Ada"])).toBe("Ada wirft eine 3.");
  await voice.load("en", "stop-the-train");
  await voice.load("de", "coast-mail");
  expect(words).toHaveBeenCalledTimes(3);
});

test.each([
  ["has none", () => Promise.resolve({})],
  ["is not there any more", () => Promise.reject(new Failed(404, { key: "title.unknown" }))],
])("of a title that %s everything is said as it comes", async (what, answer) => {
  vi.spyOn(api, "words").mockImplementation(answer);
  await voice.load("en", `title that ${what}`);
  expect(voice.titled).toBe(true);
  expect(tell(rolled, ["Ada"])).toBe("Rolled (seat Ada, pips 3, cards a and b)");
  expect(tell({ key: "action.depart" })).toBe("Depart");
  expect(name("option", "open_vote")).toBe("Open vote");
  expect(name("preset", "first-game")).toBe("First game");
});
