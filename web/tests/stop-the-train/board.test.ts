/* The whole board from scenes of kept games: it is drawn, in every language, and sends whole choices. */
import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BEGUN, Begun } from "../../src/lib/begun";
import { LANGUAGES, prefs } from "../../src/lib/prefs.svelte";
import type { Acting, Sight } from "../../src/titles/stop-the-train/types";
import { voice } from "../../src/lib/words/index.svelte";
import board from "../../src/titles/stop-the-train/board";
import End from "../../src/titles/stop-the-train/End.svelte";
import { readTable } from "../../src/titles/stop-the-train/read";
import { story } from "../../src/titles/stop-the-train/end/story";
import { seen } from "../../src/titles/stop-the-train/view";

type Kept = Sight & { previews: Record<string, unknown> };
const files = import.meta.glob<{ default: Kept }>("./scenes/*.json", { eager: true });
const scenes = Object.fromEntries(
  Object.entries(files).map(([path, file]) => [
    path.replace(/.*\/|\.json/g, ""),
    { ...file.default, code: "", match: path },
  ]),
);

let sent: unknown[] = [];
function actor(kept: Kept): Acting {
  return {
    must: kept.scene.question?.must ?? false,
    sending: 0,
    do: (steps) => Promise.resolve(sent.push(steps)),
    say: (said) => Promise.resolve(sent.push(said)),
    preview: <T>(steps: unknown) => Promise.resolve(kept.previews[JSON.stringify(steps)] as T),
    keep: (changes) => Promise.resolve(sent.push(changes)),
  };
}

let shown: Record<string, unknown> | null = null;
function show(part: "Table" | "Hand" | "End", kept: Kept): void {
  const acting = kept.number === null ? null : actor(kept);
  const Part = (part === "End" ? End : board[part]) as Component<{
    sight: Sight;
    acting: Acting | null;
  }>;
  shown = mount(Part, {
    target: document.body,
    props: { sight: kept, acting },
    context: new Map([[BEGUN, new Begun()]]),
  });
  flushSync();
}

const settled = () => new Promise((done) => setTimeout(done, 0));
const radios = () => [...document.querySelectorAll<HTMLElement>('[role="radio"]')];
const primary = () => document.querySelector<HTMLElement>(".btn--primary")!;

beforeEach(async () => {
  sent = [];
  prefs.lang = "en";
  await voice.load("en", "stop-the-train");
});
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = null;
  document.body.innerHTML = "";
  vi.restoreAllMocks();
});

describe.each(LANGUAGES)("in %s", (lang) => {
  test.each(Object.entries(scenes))("%s has words for everything", async (_, kept) => {
    prefs.lang = lang;
    await voice.load(lang, "stop-the-train");
    for (const part of kept.scene.result ? (["End"] as const) : (["Hand", "Table"] as const)) {
      show(part, kept);
      await settled();
      flushSync();
      expect(document.body.textContent).not.toContain("⟨");
      await unmount(shown!);
      shown = null;
    }
    for (const line of [board.headline?.(kept, true)?.line, board.headline?.(kept, false)?.line])
      expect(line).not.toContain("⟨");
  });
});

test("a card is chosen first and played then, whole", async () => {
  show("Hand", scenes.play!);
  await settled();
  radios()[0]!.click();
  flushSync();
  expect(radios()[0]!.getAttribute("aria-checked")).toBe("true");
  expect(sent).toEqual([]);
  primary().click();
  await settled();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject([{ do: "play" }]);
});

test("a card with two sides asks which", async () => {
  show("Hand", scenes.or!);
  const card = scenes.or!.scene.question!.choices.findIndex((one) => one.then?.length);
  radios()[card]!.click();
  flushSync();
  expect(radios().length).toBe(2);
  radios()[1]!.click();
  flushSync();
  primary().click();
  await settled();
  expect(sent[0]).toMatchObject([{ do: "play" }, { do: "side", side: "second" }]);
});

test("own secrets are not on the page until they are held", () => {
  const kept = scenes.play!;
  const role = voice.words.word(`role.${seen(kept).own!.character}`);
  show("Hand", kept);
  expect(document.body.textContent).not.toContain(role);
  const covered = document.querySelector<HTMLElement>(".secrets button")!;
  covered.dispatchEvent(new Event("pointerdown"));
  flushSync();
  expect(document.body.textContent).toContain(role);
  covered.dispatchEvent(new Event("pointerup"));
  flushSync();
  expect(document.body.textContent).not.toContain(role);
});

test("the table can be read, every line of it", () => {
  for (const kept of Object.values(scenes))
    for (const line of readTable(seen(kept)))
      expect(voice.words.say(line.key, line.args, kept.names)).not.toContain("⟨");
});

test("the run ends where the train ended", () => {
  for (const name of ["end", "end-crashed", "end-off"]) {
    const kept = scenes[name]!;
    const { legs, marks } = story(seen(kept), kept.happened);
    expect(legs).toHaveLength(seen(kept).turns.length);
    for (const leg of legs) expect(leg.to).toBeGreaterThanOrEqual(leg.from);
    expect(marks[marks.length - 1]).toMatchObject({ what: "end", turn: legs.length });
  }
});
