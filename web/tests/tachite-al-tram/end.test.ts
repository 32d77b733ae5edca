/* What the end says to whom, from what was carried. */
import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api } from "../../src/lib/api";
import { BEGUN, Begun } from "../../src/lib/begun";
import { LANGUAGES } from "../../src/lib/prefs.svelte";
import { tell, voice } from "../../src/lib/words/index.svelte";
import End from "../../src/titles/tachite-al-tram/End.svelte";
import type { Sight } from "../../src/titles/tachite-al-tram/types";

const files = import.meta.glob<{ default: Sight }>("./scenes/end-*.json", { eager: true });
const scene = (name: string) => structuredClone(files[`./scenes/${name}.json`]!.default);

let shown: Record<string, unknown> | null = null;
beforeEach(async () => {
  vi.spyOn(api, "matchData").mockRejectedValue(new Error("no board")); // it is told without it
  await voice.load("en", "tachite-al-tram");
});
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = null;
  document.body.innerHTML = "";
  vi.restoreAllMocks();
});

/** How the end begins for somebody at the table. */
function head(name: string, number: number): string {
  const sight = { ...scene(name), code: "ABCDEF", match: "m1", number };
  shown = mount(End as Component<{ sight: Sight; acting: null }>, {
    target: document.body,
    props: { sight, acting: null },
    context: new Map([[BEGUN, new Begun()]]),
  });
  flushSync();
  return document.querySelector("header")!.textContent.replace(/\s+/g, " ");
}

test.each(["end-frenador", "end-end-of-service"])("%s: won, and why", (name) => {
  const { outcomes } = scene(name).scene.result!;
  const winner = outcomes.findIndex(({ won }) => won);
  expect(head(name, winner)).toMatch(/You won because (you were the first|nobody carried more)/);
});

test.each(["end-frenador", "end-end-of-service"])("%s: lost, to whom and by how much", (name) => {
  const { names, scene: ended } = scene(name);
  const { outcomes } = ended.result!;
  const loser = outcomes.findIndex(({ won }) => !won);
  const winner = names[outcomes.findIndex(({ won }) => won)]!;
  const said = head(name, loser);
  expect(said).toMatch(new RegExp(`You lost because ${winner}`));
  expect(said).toMatch(new RegExp(`you (carried )?${outcomes[loser]!.score ?? 0}\\.`));
});

test.each(LANGUAGES)(
  "in %s what was carried is what was carried, not what was needed",
  async (lang) => {
    await voice.load(lang, "tachite-al-tram");
    const failed = { key: "reason.carried", held: false, args: { points: 8, goal: 12 } };
    expect(tell(failed)).toMatch(/8\D+12/);
  },
);
