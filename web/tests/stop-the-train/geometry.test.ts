import { describe, expect, test } from "vitest";
import dijon from "../../../src/capolinea/games/stop_the_train/data/track/dijon.json";
import express from "../../../src/capolinea/games/stop_the_train/data/track/express.json";
import {
  along,
  chain,
  layOut,
  lengthOf,
  overlap,
  place,
  roundedPath,
  stretch,
} from "../../src/titles/stop-the-train/map/geometry";
import { fitted, frame } from "../../src/titles/stop-the-train/map/camera";
import { placed } from "../../src/titles/stop-the-train/map/labels";
import {
  lineBoxes,
  paris,
  stretchesOf,
  tower,
  whole,
} from "../../src/titles/stop-the-train/map/scenery";
import { SECTIONS, type Track } from "../../src/titles/stop-the-train/track";

const TRACKS = { dijon, express } as unknown as Record<string, Track>;

describe("a way", () => {
  test("is as long as its corners say, less what the bends cut off", () => {
    const way = chain(
      [
        [0, 0],
        [100, 0],
        [100, 100],
      ],
      20,
    );
    expect(lengthOf(way)).toBeGreaterThan(180);
    expect(lengthOf(way)).toBeLessThan(200);
    expect(along(way, 0)).toEqual({ x: 0, y: 0, a: 0 });
    expect(along(way, lengthOf(way)).y).toBeCloseTo(100);
  });

  test("goes straight on before its beginning", () => {
    expect(
      along(
        [
          [0, 0],
          [10, 0],
        ],
        -5,
      ),
    ).toMatchObject({ x: -5, y: 0 });
  });

  test("is drawn with rounded corners", () => {
    const d = roundedPath(
      [
        [0, 0],
        [100, 0],
        [100, 100],
      ],
      20,
    );
    expect(d).toBe("M0,0L80,0Q100,0 100,20L100,100");
  });
});

describe.each(Object.entries(TRACKS))("the track %s", (_, track) => {
  const layout = layOut(track);

  test("has a spot for every space", () => {
    for (const id of SECTIONS) {
      const more = id === "line" ? 1 : 0; // START
      expect(layout.sections[id].spots).toHaveLength(track.sections[id].spaces + more);
    }
  });

  test("no two spaces lie on one another", () => {
    const spots = SECTIONS.flatMap((id) => layout.sections[id].spots);
    for (const [i, a] of spots.entries())
      for (const b of spots.slice(i + 1))
        expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(8);
  });

  test("a train goes from START to Paris without a jump, by every route", () => {
    for (const route of ["fast-track", "viaduct", "scenic-route"] as const) {
      const last =
        track.sections.line.spaces + track.sections[route].spaces + track.sections.paris.spaces;
      for (let at = -2; at < last; at += 0.5) {
        const [a, b] = [place(layout, route, at), place(layout, route, at + 0.5)];
        expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeLessThan(45);
      }
    }
  });

  test("a feature has its spaces and two ends", () => {
    for (const { section, feature } of stretchesOf(layout))
      expect(stretch(layout, section, feature)).toHaveLength(feature.to - feature.from + 3);
  });

  test("names stand over no other name and off the line", () => {
    const bounds = whole(layout);
    const obstacles = [...lineBoxes(layout), tower(layout).box, paris(layout).box];
    for (const lang of ["en", "it", "de"]) {
      const labels = placed(
        stretchesOf(layout).map(({ id, spots, feature }) => ({
          id,
          text: feature.name[lang]!,
          size: 18,
          spots,
        })),
        obstacles,
        bounds,
      );
      for (const [i, a] of labels.entries()) {
        for (const b of labels.slice(i + 1)) expect(overlap(a.box, b.box)).toBe(0);
        const over = lineBoxes(layout, 8).reduce((all, one) => all + overlap(one, a.box), 0);
        expect(over / (a.box.w * a.box.h)).toBeLessThan(0.1);
      }
    }
  });

  test("the camera has the train in it, and where it would go", () => {
    for (let at = 0; at <= track.sections.line.spaces - 6; at++) {
      const box = frame(layout, { route: "", at, to: at + 6, ahead: [] }, 1.3);
      for (let i = at - 2; i <= at + 6; i++) {
        const { x, y } = place(layout, "", i);
        expect(overlap({ x, y, w: 0.1, h: 0.1 }, box)).toBeGreaterThan(0);
      }
    }
  });
});

test("a frame has the shape that is asked for", () => {
  const box = fitted({ x: 0, y: 0, w: 400, h: 100 }, 2);
  expect(box.w / box.h).toBeCloseTo(2);
  expect(box.x + box.w / 2).toBeCloseTo(200);
});
