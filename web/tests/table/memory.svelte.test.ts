/* A table in the page's own memory: the same seat and the same screen, and no network. */
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ClientMessage, ServerMessage } from "../../src/generated/protocol";
import { Refused } from "../../src/lib/refused";
import { Seat } from "../../src/lib/seat.svelte";
import type { End, Transport } from "../../src/lib/transport";
import { say, voice } from "../../src/lib/words/index.svelte";
import Table from "../../src/screens/Table.svelte";
import play from "../stop-the-train/scenes/play.json";

type Said = ClientMessage & { id: string };
const NAMES = ["Ada", "Bruno"];

/** One choice, over and over; whoever writes reads it at once. */
class Memory implements Transport {
  readonly way = 0;
  readonly said: Said[] = [];
  private n = 1;

  constructor(private readonly end: End) {}

  open(): void {
    const hello = this.end.hello() as { seat: number };
    this.tell({ t: "room", room: { code: "", you: 1, host: 1, seats: [] }, seat: hello.seat });
    const question = {
      id: 1,
      must: true,
      choices: [{ do: { do: "pass" }, line: { key: "part.close" } }],
    };
    this.tell({
      t: "welcome",
      match: "m1",
      title: "a-title-of-a-stranger",
      seat: hello.seat,
      names: NAMES,
      seed_hash: "",
      n: this.n,
      scene: { ...play.scene, said: [], question, view: {} },
      missed: [],
      private: {},
    });
  }

  send(text: string): boolean {
    const message = JSON.parse(text) as Said;
    this.said.push(message);
    queueMicrotask(() => this.answer(message));
    return true;
  }

  private answer(message: Said): void {
    if (message.t === "chat")
      this.tell({ t: "chat", n: 1, name: "Ada", person: 1, text: message.text, to: "table" });
    if (message.t === "undo")
      return this.tell({ t: "refused", id: message.id, why: { key: "refused.undo" } });
    if (message.t === "read") return this.tell({ t: "reading", id: message.id, lines: [] });
    this.tell({ t: "done", id: message.id });
  }

  private tell(message: object): void {
    this.end.take(message as ServerMessage);
  }

  renew(): void {
    throw new Error("nothing breaks here");
  }

  close(): void {}
}

let memory: Memory;
let seat: Seat;
let shown: Record<string, unknown>;
const failed: unknown[] = [];

beforeEach(async () => {
  vi.stubGlobal("WebSocket", undefined);
  vi.stubGlobal("reportError", (error: unknown) => void failed.push(error));
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}")));
  await voice.load("en", "");
  seat = new Seat("", 0, (end) => (memory = new Memory(end)));
  shown = mount(Table, { target: document.body, props: { seat, looking: false } });
  await vi.waitUntil(() => document.querySelector(".table"));
});
afterEach(() => {
  void unmount(shown);
  seat.close();
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
  expect(failed).toEqual([]);
});

it("the table stands, and says whose turn it is", () => {
  expect(seat.link).toBe("open");
  expect(document.querySelector("h1")!.textContent).toBe(say("shell.your-turn"));
  for (const name of NAMES)
    expect(document.querySelector("section.players")!.textContent).toContain(name);
});

it("what is done is answered, and what is refused says why", async () => {
  await seat.do([{ do: "pass" }]);
  expect(memory.said.at(-1)).toMatchObject({
    t: "do",
    match: "m1",
    question: 1,
    do: [{ do: "pass" }],
  });
  await expect(seat.undo()).rejects.toBeInstanceOf(Refused);
  expect(seat.sending).toBe(0);
});

it("what is written in the chat is read there", async () => {
  const box = document.querySelector<HTMLInputElement>("#drawer-chat input.input")!;
  box.value = "Good evening!";
  box.dispatchEvent(new Event("input", { bubbles: true }));
  box.form!.dispatchEvent(new Event("submit", { cancelable: true }));
  await vi.waitUntil(() => seat.chat.length);
  flushSync();
  expect(document.querySelector("#drawer-chat ol")!.textContent).toContain("Good evening!");
});
