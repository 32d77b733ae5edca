import { expect, test } from "vitest";
import type { Said } from "../../src/generated/protocol";
import { accusations, ledger, without } from "../../src/titles/stop-the-train/drawers/ledger";
import { claimable } from "../../src/titles/stop-the-train/drawers/claimable";
import { closed, marked, open, turned } from "../../src/titles/stop-the-train/drawers/notes";
import type { TrainView } from "../../src/titles/stop-the-train/view";

const view = {
  step: "draw",
  turns: [
    { drawer: 0, current: 1, effect: "accelerate" },
    { drawer: 1, current: 2, effect: "theft", seized: "speed-up" },
    { drawer: 2 },
  ],
} as unknown as TrainView;

function says(seat: number, said: unknown): Said {
  return { seat, said, line: { key: "" } };
}

const claim = (seat: number, turn: number, parts: object) =>
  says(seat, { claim: { turn, ...parts } });

test("stories that fit do not clash", () => {
  const [pair] = ledger(view, [
    claim(0, 1, { drew: ["accelerate", "speed-up", "theft"], discarded: ["theft"] }),
    claim(1, 1, { received: ["speed-up", "accelerate"] }),
  ]);
  expect(pair).toMatchObject({ turn: 1, drawer: 0, current: 1, clash: "" });
});

test("what was passed and what was got must be the same", () => {
  const [pair] = ledger(view, [
    claim(0, 1, { passed: ["accelerate", "accelerate"] }),
    claim(1, 1, { received: ["accelerate", "speed-up"] }),
  ]);
  expect(pair!.clash).toBe("pair");
});

test("what was got must have been drawn", () => {
  const [pair] = ledger(view, [
    claim(0, 1, { drew: ["accelerate", "accelerate", "theft"] }),
    claim(1, 1, { received: ["accelerate", "speed-up"] }),
  ]);
  expect(pair!.clash).toBe("pair");
});

test("nobody can have been without the card that all saw", () => {
  const [pair] = ledger(view, [claim(1, 1, { received: ["speed-up", "speed-up"] })]);
  expect(pair!.clash).toBe("played");
});

test("a card that was seized was there too", () => {
  const had = (received: string[]) => ledger(view, [claim(2, 2, { received })])[0]!.clash;
  expect(had(["theft", "speed-up"])).toBe("");
  expect(had(["theft", "theft"])).toBe("played");
});

test("the last word counts", () => {
  const [pair] = ledger(view, [
    claim(1, 1, { received: ["speed-up", "speed-up"] }),
    claim(1, 1, { received: ["accelerate", "speed-up"] }),
  ]);
  expect(pair!.clash).toBe("");
});

test("suspicions: each player's last", () => {
  const said = [says(0, { accuse: 1 }), says(2, { accuse: 0 }), says(0, { accuse: 2 })];
  expect(accusations(said)).toEqual([
    { seat: 2, other: 0 },
    { seat: 0, other: 2 },
  ]);
});

test("cards without others", () => {
  expect(without(["a", "a", "b"], ["a"])).toEqual(["a", "b"]);
});

test("one may speak about own turns whose card was played", () => {
  expect(claimable(view, 1).map((one) => [one.turn, one.drawer])).toEqual([
    [2, true],
    [1, false],
  ]);
  expect(claimable(view, 2).map((one) => one.turn)).toEqual([2]);
});

test("notes: marks go round, and are kept as text", () => {
  let book = open("");
  for (const mark of ["maybe", "no", "yes", ""]) {
    book = turned(book, "saboteur", 2);
    expect(marked(book, "saboteur", 2)).toBe(mark);
  }
  book = { ...turned(book, "rogue", 1), text: "Bruno!" };
  expect(open(closed(book))).toEqual(book);
  expect(open("just words").text).toBe("just words");
});
