/* What cannot be taken back is asked once more, wherever it stands. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Command } from "../../src/generated/protocol";
import { api } from "../../src/lib/api";
import type { Seat } from "../../src/lib/seat.svelte";
import { say, voice } from "../../src/lib/words/index.svelte";
import PersonalLink from "../../src/parts/PersonalLink.svelte";
import OthersSeat from "../../src/screens/room/OthersSeat.svelte";
import Menu from "../../src/screens/table/Menu.svelte";

const target = document.body;
let shown: Record<string, unknown>;
const buttons = () => [...target.querySelectorAll("button")];
const button = (name: string) => buttons().find((one) => one.textContent?.trim() === name)!;

beforeAll(() => voice.load("en", ""));
afterEach(() => {
  void unmount(shown);
  vi.restoreAllMocks();
});

const room = { code: "ABCDEF", you: 1, host: 1, people: [{ number: 2, name: "Bea" }], seats: [] };

function atTable(): () => Command[] {
  const seat = { code: "ABCDEF", room, number: 0, seat: 0, undoing: null, unsent: false };
  const sight = { scene: { result: null, question: null }, names: ["Ada"], title: "t" };
  const command = vi.spyOn(api, "command").mockResolvedValue({} as never);
  shown = mount(Menu, {
    target,
    props: { seat: seat as unknown as Seat, sight, onlook: vi.fn() } as never,
  });
  return () => command.mock.calls.map(([, sent]) => sent);
}

function inRoom(): () => Command[] {
  const act = vi.fn().mockResolvedValue(true);
  shown = mount(OthersSeat, {
    target,
    props: { visit: { act }, room, number: 1, person: 2 } as never,
  });
  return () => act.mock.calls.map(([, sent]) => sent as Command);
}

it.each([
  ["to end the match", atTable, "shell.abandon", "abandon"],
  ["to leave a match that is on", atTable, "shell.leave", "leave"],
  ["to send somebody out", inRoom, "lobby.remove", "remove"],
  ["to give the room away", inRoom, "lobby.hand-over", "hand-over"],
] as const)("%s", (_, show, key, does) => {
  const asked = show();
  flushSync();
  const press = () => (button(say(key)).click(), flushSync());
  press();
  expect(asked()).toEqual([]);
  expect(target.textContent).toContain(say(`${key}.sure`));
  // What has the focus, and comes first, is the way back.
  expect(document.activeElement).toBe(button(say("part.rather-not")));
  button(say("part.rather-not")).click();
  flushSync();
  expect(asked()).toEqual([]);
  press();
  press();
  expect(asked().map((sent) => sent.do)).toEqual([does]);
});

it.each([
  [1, true],
  [2, false],
])("a personal link is made at once on %i device: %s", (devices, atOnce) => {
  const asked = vi.spyOn(api, "seatLink").mockResolvedValue({ link: "x", key: "k", qr: "" });
  const seated = { ...room, reach: "world", seats: [{ devices }] };
  shown = mount(PersonalLink, { target, props: { room: seated, seat: 0 } as never });
  flushSync();
  button(say("lobby.other-device")).click();
  flushSync();
  expect(asked.mock.calls.length > 0).toBe(atOnce);
  if (!atOnce) expect(target.textContent).toContain(say("lobby.other-device.sure"));
});
