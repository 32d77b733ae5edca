/* Leaving a room from the home page: it is asked once more, and whoever is still in it reads so. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { RoomLine } from "../../src/generated/protocol";
import { api, Failed } from "../../src/lib/api";
import { say, tell, voice } from "../../src/lib/words/index.svelte";
import GoOn from "../../src/screens/home/GoOn.svelte";

const rooms = [{ code: "ABCDEF", title: "stop-the-train", phase: "playing" }] as RoomLine[];
const target = document.body;
const onleft = vi.fn();
let shown: Record<string, unknown>;
const button = (name: string) =>
  [...target.querySelectorAll("button")].find((one) =>
    [one.textContent?.trim(), one.getAttribute("aria-label")].includes(name),
  )!;
const press = (name: string) => {
  button(name).click();
  flushSync();
};
const leave = () => say("home.go-on.leave", { code: "ABCDEF" });

beforeAll(() => voice.load("en", ""));
beforeEach(() => {
  shown = mount(GoOn, { target, props: { rooms, onleft } });
  flushSync();
  press(say("part.actions"));
});
afterEach(() => {
  void unmount(shown);
  vi.restoreAllMocks();
  onleft.mockClear();
});

it.each([
  ["nobody answers", new Failed(0, { key: "web.unanswered" })],
  ["the server cannot now", new Failed(503, { key: "table.not-kept" })],
])("%s: the room stays in the list", async (_, failed) => {
  vi.spyOn(api, "command").mockRejectedValue(failed);
  press(leave());
  press(leave());
  await vi.waitFor(() => expect(target.textContent).toContain(tell(failed.why)));
  expect(onleft).not.toHaveBeenCalled();
});

it.each([
  ["it is done", () => Promise.resolve({} as never)],
  ["it is gone", () => Promise.reject(new Failed(404, { key: "room.unknown" }))],
])("%s: it is off the list", async (_, answer) => {
  vi.spyOn(api, "command").mockImplementation(answer);
  press(leave());
  press(leave());
  await vi.waitFor(() => expect(onleft).toHaveBeenCalledWith("ABCDEF"));
});

it("two quick taps leave nothing", () => {
  const command = vi.spyOn(api, "command");
  press(leave());
  (document.activeElement as HTMLElement).click(); // where the focus went, and what lies first
  flushSync();
  expect(command).not.toHaveBeenCalled();
  expect(button(leave())).not.toBeUndefined();
});
