/* What belongs to a seat is in Svelte's context, and in no module. */
import { expect, test } from "vitest";
import { Begun } from "../../src/lib/begun";
import { Asking } from "../../src/parts/about.svelte";
import { Picking } from "../../src/titles/trial-by-trolley/picking.svelte";

test("all parts of a board share what is begun in a seat", () => {
  const mine = new Begun();
  mine.of(Picking).pull = 1;
  expect(mine.of(Picking).pull).toBe(1);
  expect(mine.of(Asking).shown).toBeNull();
});

test("in another seat nothing is begun", () => {
  new Begun().of(Picking).pull = 1;
  expect(new Begun().of(Picking).pull).toBe(0);
});

/** What modules keep as long as the page lives, and why that is nobody's secret. */
const KEPT = {
  "lib/api.ts coming": "what a screen that is about to open has asked for; it takes it along",
  "lib/draft.ts fields": "where one can write on this page; what stands there goes with the field",
  "lib/missing.svelte.ts missing": "whether a part of the page is missing",
  "lib/prefs.svelte.ts prefs": "how somebody likes it on this device",
  "lib/router.svelte.ts router": "the address",
  "lib/rulebook.svelte.ts rulebook": "the rules, which everybody may read; a table closes them",
  "lib/sound.ts context": "what plays sounds",
  "lib/unanswered.ts open": "the numbers of what was sent, and nothing of what it says",
  "lib/unanswered.ts waiting": "who waits for the answers",
  "lib/words/index.svelte.ts voice": "the words of the language",
  "lib/words/own.svelte.ts ownWords": "whether the words of the match that is shown are late",
  "lib/words/told.ts asked": "the words of titles, which everybody may read",
  "parts/titles.svelte.ts titles": "the titles that there are",
  "titles/stop-the-train/talk.svelte.ts talk": "since when a meeting talks: all see it",
  "titles/stop-the-train/track.ts known": "lines, as all see them",
  "titles/tachite-al-tram/art/symbols.ts colours": "the colours of this screen",
  "titles/tachite-al-tram/chart.ts known": "boards, as all see them",
  "titles/tachite-al-tram/view.ts known": "weak: it goes with the scene",
};

const sources = import.meta.glob<string>("../../src/**/*.{ts,svelte}", {
  query: "?raw",
  import: "default",
  eager: true,
});
/** What can change and stands at the left margin of a module; in a component only its module part does. */
const CHANGES =
  /^(?:export )?(?:(?:let|var) (\w+)|const (\w+)[^=\n]* = (?:\$state|new (?!RegExp)))/gm;

test("no module keeps what belongs to a seat", () => {
  const found = Object.entries(sources).flatMap(([path, source]) => {
    const shown = path.endsWith(".svelte");
    const part = shown ? (/<script[^>]* module>(.*?)<\/script>/s.exec(source)?.[1] ?? "") : source;
    const module = shown ? part.replace(/^ {2}/gm, "") : part;
    return [...module.matchAll(CHANGES)].map(
      ([, one, other]) => `${path.replace("../../src/", "")} ${one ?? other}`,
    );
  });
  expect(found.sort()).toEqual(Object.keys(KEPT).sort());
});
