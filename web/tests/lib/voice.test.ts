import { expect, it, vi } from "vitest";
import { voice } from "../../src/lib/words/index.svelte";

it("says what was asked for last, whatever comes last", async () => {
  const all = Promise.all.bind(Promise);
  const slowly = async (values: Iterable<unknown>) => {
    const found = await all(values);
    await new Promise((done) => setTimeout(done, 30));
    return found;
  };
  // The page turns to another language at once; the names of places follow, and may be quicker.
  await voice.load("en", "stop-the-train", { "feature.line.0": "descent" });
  vi.spyOn(Promise, "all").mockImplementationOnce(slowly as typeof Promise.all);
  const turned = voice.turn("it");
  await voice.load("it", "stop-the-train", { "feature.line.0": "discesa" });
  await turned;
  expect(voice.words.say("feature.line.0")).toBe("discesa");
  vi.restoreAllMocks();
});
