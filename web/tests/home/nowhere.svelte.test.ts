import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import App from "../../src/App.svelte";
import { router } from "../../src/lib/router.svelte";
import { tell } from "../../src/lib/words/index.svelte";

const PATIENCE = 20_000;
vi.setConfig({ testTimeout: 2 * PATIENCE });

let shown: Record<string, unknown>;
beforeEach(() => vi.stubGlobal("fetch", () => Promise.resolve(new Response("[]"))));
afterEach(() => {
  void unmount(shown);
  document.body.innerHTML = "";
  router.path = "/";
  vi.unstubAllGlobals();
});

const NAMES = Object.getOwnPropertyNames(Object.prototype);
it.each(["no-page-of-ours", ...NAMES])("/%s leads nowhere, and that is said", async (name) => {
  router.path = `/${name}/x`;
  shown = mount(App, { target: document.body });
  await vi.waitFor(() => {
    flushSync();
    const words = tell({ key: "serve.not-found" });
    expect(words).not.toContain("serve.");
    expect(document.body.textContent).toContain(words);
  }, PATIENCE);
});
