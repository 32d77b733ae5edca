/* Boxes to write in, at a table: a line is for those for whom it was typed, it is sent once however often
   somebody presses, and nothing that was typed is lost. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Seat } from "../../src/lib/seat.svelte";
import { overSocket } from "../../src/lib/socket";
import type { Acting, Sight } from "../../src/titles/trial-by-trolley/types";
import { say, tell, voice } from "../../src/lib/words/index.svelte";
import ChatBox from "../../src/screens/table/ChatBox.svelte";
import Team from "../../src/titles/trial-by-trolley/drawers/Team.svelte";
import { FakeSocket, last, type Json } from "../lib/fakesocket";

const NAMES = ["Zora", "Ada", "Bruno", "Carla"];
const ROOM = { t: "room", room: { code: "ABCDEF", you: 1, seats: [] }, seat: 0 };
const teams = (mates: number[]) => [{ players: mates }, { players: [1, 2, 3] }];
const welcome = (team: number[]) => ({
  t: "welcome",
  match: "m1",
  title: "trial-by-trolley",
  seat: 0,
  names: NAMES,
  seed_hash: "",
  n: 1,
  scene: {
    view: { teams: teams(team) },
    awaited: {},
    said: [],
    players: NAMES.map(() => "person"),
    question: null,
    result: null,
    team,
  },
  missed: [],
});

let seat: Seat;
let shown: Record<string, unknown>;
const target = document.body;
const BOXES = {
  "the chat": () => {
    shown = mount(ChatBox, { target, props: { seat } });
    target.querySelector<HTMLElement>("[type=checkbox]")!.click();
  },
  "the team's box": () => {
    const sight = {
      get scene() {
        return seat.scene;
      },
      match: "m1",
      number: 0,
      names: NAMES,
      chat: [],
    } as unknown as Sight;
    shown = mount(Team, { target, props: { sight, acting: seat as unknown as Acting } });
  },
};

const box = () => target.querySelector<HTMLInputElement>("input.input")!;
function type(text: string): void {
  box().value = text;
  box().dispatchEvent(new Event("input", { bubbles: true }));
  flushSync();
}
function enter(): void {
  target.querySelector("form")!.dispatchEvent(new Event("submit", { cancelable: true }));
  flushSync();
}
const sent = () => last().moves().at(-1) as Json;
async function refuse(key: string): Promise<void> {
  last().say({ t: "refused", id: sent().id, why: { key } });
  await vi.waitFor(() => {
    flushSync();
    expect(target.querySelector("[role=alert]")?.textContent).toContain(tell({ key }));
  });
}
/** Another round: the teams are others. */
function mix(team: number[]): void {
  const n = seat.n + 1;
  const delta = [
    [["team"], team],
    [["view", "teams"], teams(team)],
  ];
  last().say({ t: "frame", match: "m1", n, events: [], delta });
  flushSync();
}

beforeAll(() => voice.load("en", "trial-by-trolley"));
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  seat = new Seat("ABCDEF", 0, overSocket("ABCDEF"));
  last()
    .open()
    .say(ROOM)
    .say(welcome([0, 1]));
});
afterEach(() => {
  void unmount(shown);
  seat.close();
  target.innerHTML = "";
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe.each(Object.entries(BOXES))("%s", (_, show) => {
  beforeEach(() => {
    show();
    flushSync();
  });

  it("a line goes to the team for which it was typed, or by a second Enter to the new one", async () => {
    type("They are asleep");
    mix([0, 2]);
    type("They are asleep!");
    enter();
    expect(sent()).toMatchObject({ to: "team", team: [0, 1], text: "They are asleep!" });
    await refuse("chat.other-team");
    expect(box().value).toBe("They are asleep!");
    enter();
    expect(sent()).toMatchObject({ to: "team", team: [0, 2], text: "They are asleep!" });
  });

  it("what is begun in another round is for who is in the team then", () => {
    type("They are asleep");
    type("");
    mix([0, 2]);
    type("They are awake");
    enter();
    expect(sent()).toMatchObject({ team: [0, 2], text: "They are awake" });
  });

  it("without a connection it is sent once, and that it waits is said", () => {
    last().breaks();
    type("psst");
    for (let times = 0; times < 3; times += 1) enter();
    expect(target.textContent).toContain(say("shell.chat.unsent", { text: "psst" }));
    vi.advanceTimersByTime(400);
    last()
      .open()
      .say(ROOM)
      .say(welcome([0, 1]));
    expect(last().moves()).toHaveLength(1);
    expect(sent()).toMatchObject({ text: "psst" });
  });

  it("what is refused does not take the place of what was typed since", async () => {
    type("First");
    enter();
    type("second");
    await refuse("chat.hushed");
    expect(box().value).toBe("First second");
  });
});

it("in the chat, whoever ticks the team means the team that there is then", () => {
  shown = mount(ChatBox, { target, props: { seat } });
  type("They are asleep");
  mix([0, 2]);
  target.querySelector<HTMLElement>("[type=checkbox]")!.click();
  flushSync();
  mix([0, 3]);
  enter();
  expect(sent()).toMatchObject({ to: "team", team: [0, 2] });
});
