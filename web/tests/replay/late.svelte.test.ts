/* Two who look, chosen one after the other: the answer for the first may come last, and is not shown then. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { tell, voice } from "../../src/lib/words/index.svelte";
import Replay from "../../src/screens/Replay.svelte";

const PATIENCE = 20_000;
vi.setConfig({ testTimeout: 2 * PATIENCE });

const WHY = { key: "match.unknown" };
/** So many steps each of them sees. */
const STEPS: Record<string, number> = { spectator: 3, truth: 7, "0": 5 };
const replay = (steps: number) => ({
  match: { title: "no-title-of-ours", seats: ["Ada", "Bruno"] },
  scene: { view: {}, awaited: {}, said: [], players: ["person", "person"], result: null },
  steps: Array.from({ length: steps }, (_, entries) => ({ entries, events: [], delta: [] })),
});

/** What was asked for and not answered yet, by who looks. */
let asked: Map<string, (response: Response) => void>;
let shown: Record<string, unknown>;
const text = () => document.body.textContent ?? "";
const until = (so: () => void) =>
  vi.waitFor(() => {
    flushSync();
    so();
  }, PATIENCE);

async function answer(viewer: string, response = found(viewer)): Promise<void> {
  await until(() => expect(asked.has(viewer)).toBe(true));
  asked.get(viewer)!(response);
}
const found = (viewer: string) => new Response(JSON.stringify(replay(STEPS[viewer]!)));
const steps = (viewer: string) => `0/${STEPS[viewer]! - 1}`;

/** As by a link: this DOM does not know which option of a select is chosen. */
function choose(viewer: string): void {
  location.hash = `#step=0&as=${viewer}`;
  dispatchEvent(new Event("hashchange"));
  flushSync();
}

/** All that follows from an answer has been done. */
const settle = () => new Promise((done) => setTimeout(done));

beforeAll(() => voice.load("en", ""));
beforeEach(async () => {
  asked = new Map();
  location.hash = "";
  vi.stubGlobal("fetch", (path: string) => {
    const viewer = /as=(\w+)/.exec(path)?.[1];
    if (!viewer) return Promise.resolve(new Response("{}"));
    return new Promise((done) => asked.set(viewer, done));
  });
  shown = mount(Replay, { target: document.body, props: { argument: "m1" } });
  await answer("spectator");
  await until(() => expect(text()).toContain(steps("spectator")));
  choose("truth");
  choose("0");
});
afterEach(() => {
  void unmount(shown);
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

it("the picture is that of who was chosen last", async () => {
  await answer("0");
  await until(() => expect(text()).toContain(steps("0")));
  await answer("truth");
  await settle();
  flushSync();
  expect(text()).toContain(steps("0"));
});

it("and so is what went wrong", async () => {
  await answer("0");
  await until(() => expect(text()).toContain(steps("0")));
  await answer("truth", new Response(JSON.stringify({ why: WHY }), { status: 404 }));
  await settle();
  flushSync();
  expect(text()).not.toContain(tell(WHY));
});
