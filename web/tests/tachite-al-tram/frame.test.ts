import { expect, test } from "vitest";
import { frame, usual, whole, zooms } from "../../src/titles/tachite-al-tram/map/frame";
import { spread } from "../../src/titles/tachite-al-tram/map/runs.svelte";
import { swapped } from "../../src/titles/tachite-al-tram/seats";

test("on a phone the seven columns fill the width, and the hill is longer than the screen", () => {
  const shown = frame(390, 350, 1);
  expect(shown.width).toBeCloseTo(390);
  expect(shown.height).toBeGreaterThan(700);
  expect(shown.scale * 100).toBeGreaterThan(44);
});

test("on a desk the whole hill is seen at once, with land on both sides", () => {
  const shown = frame(750, 828, 1);
  expect(shown.width).toBeCloseTo(750);
  expect(shown.height).toBeCloseTo(828);
  expect(shown.left).toBeGreaterThan(290);
});

test("nobody zooms out beyond the whole, or in without an end", () => {
  for (const [width, height] of [
    [390, 350],
    [750, 828],
    [500, 300],
  ] as const) {
    const [least, most] = zooms(width, height);
    expect(frame(width, height, least / 4).scale).toBeCloseTo(whole(width, height));
    expect(frame(width, height, most * 4).scale).toBeCloseTo(usual(width, height) * most);
    expect(frame(width, height, 1).width).toBeGreaterThanOrEqual(width - 0.01);
    expect(frame(width, height, 1).height).toBeGreaterThanOrEqual(height - 0.01);
  }
});

test("trams on one square stand beside each other", () => {
  const [one, two, three] = spread([
    [50, 50],
    [50, 50],
    [350, 50],
  ]);
  expect(one![0]).toBeLessThan(two![0]);
  expect(three).toEqual([350, 50]);
});

test("two change seats, or one moves to a free one", () => {
  expect(swapped(["lem", null, "lole", null], 0, 2)).toEqual(["lole", null, "lem", null]);
  expect(swapped(["lem", null, "lole", null], 0, 3)).toEqual([null, null, "lole", "lem"]);
});
