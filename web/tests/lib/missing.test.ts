/* A part of the page that does not come: the page is loaded again by itself once, and never for ever. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** A busy machine takes its time. */
const PATIENCE = 20_000;
vi.setConfig({ testTimeout: 2 * PATIENCE });
const until = (so: () => void) => vi.waitFor(so, PATIENCE);

/** A page as it begins: nothing is known but what the tab keeps. */
async function opened() {
  vi.resetModules();
  const { missing } = await import("../../src/lib/missing.svelte");
  missing.watch();
  return missing;
}

function partFails(): void {
  dispatchEvent(Object.assign(new Event("vite:preloadError"), { payload: new Error("gone") }));
}

/** A tab that keeps things until there is no room for them. */
class Tab {
  readonly kept = new Map<string, string>();
  room = Infinity;
  getItem = (key: string) => this.kept.get(key) ?? null;
  removeItem = (key: string) => void this.kept.delete(key);
  setItem = (key: string, value: string) => {
    if (value.length > this.room) throw new DOMException("full", "QuotaExceededError");
    this.kept.set(key, value);
  };
}

let tab: Tab;
let reload: ReturnType<typeof vi.fn>;
const listening: [string, EventListenerOrEventListenerObject][] = [];

beforeEach(() => {
  const add = window.addEventListener.bind(window);
  // Each page that is opened here is gone when the next one is.
  vi.stubGlobal("addEventListener", (type: string, listener: EventListener) => {
    listening.push([type, listener]);
    add(type, listener);
  });
  tab = new Tab();
  vi.stubGlobal("sessionStorage", tab);
  reload = vi.fn();
  vi.stubGlobal("location", { reload });
  vi.stubGlobal("fetch", vi.fn().mockResolvedValue({ ok: true }));
});

function closePage(): void {
  for (const [type, listener] of listening.splice(0)) removeEventListener(type, listener);
}

afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
});

it("the page is loaded again by itself, once; then somebody is asked", async () => {
  await opened();
  partFails();
  await until(() => expect(reload).toHaveBeenCalledTimes(1));
  closePage();
  const missing = await opened();
  partFails();
  expect(missing.now).toBe("asking");
  missing.again();
  await until(() => expect(reload).toHaveBeenCalledTimes(2));
});

it.each([
  ["nothing", 0],
  ["nothing more", 2],
])("a tab that keeps %s: somebody is asked, and loads it again", async (_, room) => {
  tab.room = room;
  const missing = await opened();
  partFails();
  await until(() => expect(missing.now).toBe("asking"));
  expect(reload).not.toHaveBeenCalled();
  missing.again();
  await until(() => expect(reload).toHaveBeenCalledTimes(1));
});

it("nor does it load again by itself when the network is back", async () => {
  tab.room = 0;
  vi.mocked(fetch).mockRejectedValueOnce(new TypeError("offline"));
  const missing = await opened();
  partFails();
  await until(() => expect(missing.now).toBe("unreached"));
  dispatchEvent(new Event("online"));
  await until(() => expect(missing.now).toBe("asking"));
  expect(reload).not.toHaveBeenCalled();
});

it("unless somebody wanted it while there was none", async () => {
  tab.room = 0;
  const missing = await opened();
  partFails();
  await until(() => expect(missing.now).toBe("asking"));
  vi.mocked(fetch).mockRejectedValueOnce(new TypeError("offline"));
  missing.again();
  await until(() => expect(missing.now).toBe("unreached"));
  dispatchEvent(new Event("online"));
  await until(() => expect(reload).toHaveBeenCalledTimes(1));
});
