import { expect, it } from "vitest";
import type { Told } from "../../src/generated/protocol";
import { paragraphs, secret } from "../../src/screens/table/log";

const told = (key: string, more: Partial<Told> = {}): Told => ({ key, args: { seat: 1 }, ...more });
const drew = told("event.drew.own", {
  args: { seat: 1, cards: ["brake"] },
  private: true,
  others: "event.drew",
});
const whisper = told("event.character", { private: true });
const bot = (seat: number) => told("log.control.bot", { args: { seat } });
const frames = (...events: Told[][]) =>
  events.map((one, number) => ({ n: number + 1, events: one }));
const keys = (found: ReturnType<typeof paragraphs>) =>
  found.map(({ lines }) => lines.map(({ key }) => key));

it("is read from the newest on, without frames that say nothing", () => {
  const happened = frames([told("event.a")], [], [told("event.b"), told("event.c")]);
  expect(keys(paragraphs(happened, false))).toEqual([["event.b", "event.c"], ["event.a"]]);
  expect(secret(happened)).toBe(false);
});

it("shows a neighbour what others are told, and nothing of what they are not", () => {
  const happened = frames([whisper], [told("event.a"), drew]);
  expect(secret(happened)).toBe(true);
  expect(keys(paragraphs(happened, true))).toEqual([["event.a", "event.drew"]]);
  expect(keys(paragraphs(happened, false))).toEqual([
    ["event.a", "event.drew.own"],
    ["event.character"],
  ]);
});

it("tells of the bots that a match begins with in one line", () => {
  const happened = frames([told("event.dealt")], [bot(1)], [bot(2)], [bot(4)], [told("event.a")]);
  expect(paragraphs(happened, false).map(({ lines }) => lines)).toEqual([
    [told("event.a")],
    [{ key: "shell.log.bots", args: { seats: [1, 2, 4] } }],
    [told("event.dealt")],
  ]);
});

it("tells of a bot that comes later by itself", () => {
  const happened = frames([bot(1)], [told("event.a")], [bot(2)], [told("event.b")]);
  expect(keys(paragraphs(happened, false)).flat()).toEqual([
    "event.b",
    "log.control.bot",
    "event.a",
    "log.control.bot",
  ]);
});
