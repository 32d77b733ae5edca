import { describe, expect, test } from "vitest";
import {
  E,
  N,
  S,
  SIDE_AT,
  W,
  curve,
  middle,
  open,
  opposite,
  rails,
  sidesOf,
  sleepers,
  stand,
  steel,
  turned,
} from "../../src/titles/tachite-al-tram/map/rails";

const SHAPES = ["NS", "ES", "NS SW", "NS ES", "EW ES SW", "NS EW", "ES NW", "NS EW ES NW"];
const ends = (d: string) => {
  const numbers = d.match(/-?\d+(\.\d+)?/g)!.map(Number);
  return { from: numbers.slice(0, 2), to: numbers.slice(-2) };
};

test("rails are read as masks of sides", () => {
  expect(rails("NS ES")).toEqual([5, 6]);
  expect(open(rails("ES NW"))).toBe(15);
  expect([N, E, S, W].map(opposite)).toEqual([S, W, N, E]);
  expect(sidesOf(N | W)).toEqual([N, W]);
});

test("a quarter turn is clockwise, and four of them are none", () => {
  expect(turned(rails("ES"), 1)).toEqual(rails("SW"));
  expect(turned(rails("NS"), 1)).toEqual(rails("EW"));
  for (const shape of SHAPES) expect(turned(rails(shape), 4)).toEqual(rails(shape));
});

test("a curve begins and ends in the middle of its sides", () => {
  for (const mask of rails("NE ES SW NW")) {
    const [first, second] = sidesOf(mask);
    const { from, to } = ends(curve(mask));
    expect(from).toEqual([...SIDE_AT[first!]!]);
    expect(to).toEqual([...SIDE_AT[second!]!]);
  }
});

test("both steel rails of neighbours meet at the side between them", () => {
  // At the north side of a square, and at the south side of the one above it.
  const at = (mask: number, y: number) =>
    steel(mask)
      .split("M")
      .filter(Boolean)
      .flatMap((d) => {
        const { from, to } = ends(`M${d}`);
        if (/V/.test(d)) return [from[0]];
        return [from, to].filter(([, py]) => py === y).map(([px]) => px);
      })
      .sort();
  for (const above of rails("NS ES SW"))
    for (const below of rails("NS NE NW")) expect(at(above, 100)).toEqual(at(below, 0));
});

describe("sleepers", () => {
  test("never lie on each other", () => {
    for (const shape of SHAPES)
      for (const quarters of [0, 1, 2, 3]) {
        const laid = sleepers(turned(rails(shape), quarters));
        laid.forEach((one, i) =>
          laid.slice(i + 1).forEach((other) => {
            if (shape !== "NS EW" && shape !== "NS EW ES NW")
              expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(8);
          }),
        );
      }
  });
  test("of a fork are symmetrical", () => {
    const laid = sleepers(rails("EW ES SW"));
    const xs = laid.map(({ x }) => Math.round(x)).sort((a, b) => a - b);
    expect(xs).toEqual(xs.map((x) => 100 - x).sort((a, b) => a - b));
  });
});

test("a tram stands on the rail", () => {
  expect(stand(rails("NS"))).toEqual([50, 50]);
  expect(stand(rails("NS ES"))).toEqual([50, 50]);
  const [x, y] = stand(rails("ES"));
  expect(Math.hypot(100 - x, 100 - y)).toBeCloseTo(50);
  expect(middle(N | S)).toEqual([50, 50]);
});
