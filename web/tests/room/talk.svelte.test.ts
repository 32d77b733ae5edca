import { mount, tick, unmount } from "svelte";
import { expect, it } from "vitest";
import { voice } from "../../src/lib/words/index.svelte";
import Talk from "../../src/screens/room/Talk.svelte";
import settings from "../../../src/capolinea/server/settings.py?raw";

it("no more can be typed in the room than the server takes", async () => {
  await voice.load("en", "");
  const room = { code: "ABCDEF", you: 1 };
  const props = { visit: { seat: null }, room, lines: [], shown: true, onseen: () => undefined };
  const shown = mount(Talk, { target: document.body, props: props as never });
  await tick();
  const taken = Number(/chat_length: .* = (\d+)/.exec(settings)![1]);
  expect(document.querySelector("input")!.maxLength).toBe(taken);
  void unmount(shown);
});
