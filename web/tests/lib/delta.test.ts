import { describe, expect, it } from "vitest";
import { patched, type Change } from "../../src/lib/delta";

/** The changes that make `next` of `old`, as capolinea/server/delta.py finds them. */
function delta(old: unknown, next: unknown, path: (string | number)[] = []): Change[] {
  const changes: Change[] = [];
  if (Array.isArray(old) && Array.isArray(next)) {
    next.forEach((item, place) => {
      if (place < old.length) changes.push(...delta(old[place], item, [...path, place]));
      else changes.push([[...path, place], item]);
    });
    if (next.length < old.length) changes.push([[...path, next.length]]);
  } else if (isObject(old) && isObject(next)) {
    for (const [name, value] of Object.entries(next)) {
      if (name in old) changes.push(...delta(old[name], value, [...path, name]));
      else changes.push([[...path, name], value]);
    }
    for (const name of Object.keys(old)) if (!(name in next)) changes.push([[...path, name]]);
  } else if (old !== next) {
    changes.push([path, next]);
  }
  return changes;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

describe("the examples of the manual", () => {
  it("a value changes, and a list grows", () => {
    const old = { speed: 90, log: ["a"] };
    const changes: Change[] = [
      [["speed"], 120],
      [["log", 1], "b"],
    ];
    expect(patched(old, changes)).toEqual({ speed: 120, log: ["a", "b"] });
    expect(old).toEqual({ speed: 90, log: ["a"] });
  });

  it("a list is cut off, and a name is gone", () => {
    const changes: Change[] = [[["hand", 2]], [["note"]]];
    expect(patched({ hand: [1, 2, 3], note: "x" }, changes)).toEqual({ hand: [1, 2] });
  });
});

describe("a delta makes the new scene of the old", () => {
  // Few names and small numbers, so that two scenes have much in common.
  let state = 1;
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const PLAIN = [null, true, false, 0, 1, 2, -1, 0.5, "", "x"];
  const NAMES = ["", "a", "b", "0", "1"];
  function some(depth: number): unknown {
    const kind = depth ? random(4) : 0;
    if (kind < 2) return PLAIN[random(PLAIN.length)];
    const many = random(5);
    if (kind === 2) return Array.from({ length: many }, () => some(depth - 1));
    return Object.fromEntries(
      Array.from({ length: many }, () => [NAMES[random(NAMES.length)], some(depth - 1)]),
    );
  }

  it("whatever the two are", () => {
    for (let n = 0; n < 3000; n++) {
      const [old, next] = [some(3), some(3)];
      const before = JSON.stringify(old);
      const wired = JSON.parse(JSON.stringify(delta(old, next))) as Change[];
      expect(patched(old, wired)).toEqual(next);
      expect(JSON.stringify(old)).toBe(before); // what shows it still has it
    }
  });

  it("and one after the other", () => {
    let seen = some(3);
    for (let n = 0; n < 300; n++) {
      const next = some(3);
      seen = patched(seen, delta(seen, next));
      expect(seen).toEqual(next);
    }
  });
});

it("the whole scene can be another", () => {
  expect(patched({ a: 1 }, [[[], { b: 2 }]])).toEqual({ b: 2 });
});

it("what did not change is still the same object", () => {
  const old = { view: { line: { spaces: [1, 2] }, speed: 90 }, question: { id: 1, choices: [{}] } };
  const next = patched(old, [[["view", "speed"], 120]]);
  expect(next.view).not.toBe(old.view);
  expect(next.view.line).toBe(old.view.line);
  expect(next.question).toBe(old.question);
  expect(patched(old, [])).toBe(old);
});
