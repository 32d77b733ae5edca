/* The table read aloud: every fact of the view as a line (the same as read.py). */

import type { Line } from "../../generated/protocol";
import type { Tram, TramView } from "../../generated/tachite-al-tram";

export function readTable(view: TramView): Line[] {
  const { table } = view;
  const lines: Line[] = [
    { key: "read.round", args: { round: view.round, rounds: table.rounds, turn: view.turn } },
    { key: "read.goal", args: { points: table.points_to_win } },
    view.ending
      ? { key: "read.over" }
      : { key: "read.turn", args: { seat: view.current, phase: view.phase } },
  ];
  if (view.steps) lines.push({ key: "read.steps", args: { die: view.die, steps: view.steps } });
  if (view.stuck) lines.push({ key: "read.stuck", args: { seat: view.current } });
  view.trams.forEach((tram, seat) => lines.push(...readTram(view, seat, tram)));
  for (const { square: at, top, count } of view.stops)
    lines.push(
      top === null
        ? { key: "read.stop.empty", args: { at } }
        : { key: "read.stop", args: { at, passenger: top, count } },
    );
  const out = Object.entries(view.passengers_out).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => kind),
  );
  if (out.length) lines.push({ key: "read.out", args: { passengers: out } });
  return [...lines, ...readTiles(view), ...readMisfortunes(view)];
}

export function readTram(view: TramView, seat: number, tram: Tram): Line[] {
  const { square: at, to, points } = tram;
  const lines: Line[] = [
    { key: "read.tram", args: { seat, at, to, points } },
    { key: "read.damage", args: { seat, count: tram.damage } },
  ];
  if (!tram.aboard.length) lines.push({ key: "read.empty", args: { seat } });
  else {
    lines.push({ key: "read.aboard", args: { seat, passengers: tram.aboard } });
    for (let i = 0; i < tram.seats.length; i += 2) {
      const passengers = tram.seats.slice(i, i + 2).filter((kind) => kind !== null);
      lines.push({ key: "read.bench", args: { seat, bench: i / 2 + 1, passengers } });
    }
  }
  lines.push({ key: "read.hand", args: { seat, tiles: tram.hand } });
  if (tram.fresh.length) lines.push({ key: "read.fresh", args: { seat, tiles: tram.fresh } });
  if (tram.futiz !== null) lines.push({ key: "read.futiz", args: { seat, futiz: tram.futiz } });
  if (tram.kept.length) lines.push({ key: "read.kept", args: { seat, cards: tram.kept } });
  if (tram.last_stop !== null)
    lines.push({ key: "read.last-stop", args: { seat, at: view.table.stops[tram.last_stop] } });
  if (tram.halted) lines.push({ key: "read.halted", args: { seat } });
  for (const { turn, points: carried } of tram.trips)
    lines.push({ key: "read.trip", args: { seat, turn, points: carried } });
  return lines;
}

function readTiles(view: TramView): Line[] {
  const lines: Line[] = [{ key: "read.face-down", args: { count: view.face_down } }];
  view.table.own_tiles.forEach((rails, i) =>
    lines.push({ key: "read.own-tile", args: { tile: `own-${i + 1}`, rails } }),
  );
  for (const { square, tile, turn } of view.tiles)
    lines.push({ key: "read.tile", args: { square, tile, turn } });
  if (view.last_laid) {
    const { seat, square } = view.last_laid;
    lines.push({ key: "read.last-laid", args: { seat, square } });
  }
  return lines;
}

function readMisfortunes(view: TramView): Line[] {
  const lines: Line[] = [{ key: "read.misfortunes", args: { count: view.misfortunes_left } }];
  if (view.misfortunes_used.length)
    lines.push({ key: "read.used", args: { cards: view.misfortunes_used } });
  if (view.misfortune)
    lines.push({
      key: "read.misfortune",
      args: { seat: view.misfortune.seat, card: view.misfortune.id },
    });
  if (view.funicular_closed !== null)
    lines.push({ key: "read.closed", args: { seat: view.funicular_closed } });
  return lines;
}
