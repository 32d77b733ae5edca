/* The table read aloud: every fact of the view as a line (the same as read.py). */

import type { Line } from "../../generated/protocol";
import { box, last, mission, turnsLeft, type TrainView } from "./view";

/** What everybody may hear. */
export function readTable(view: TrainView): Line[] {
  const lines: Line[] = [
    { key: "read.turn", args: { turn: view.turn, left: turnsLeft(view) } },
    { key: "read.speed", args: { speed: view.speed, least: view.slowest, most: view.fastest } },
    where(view),
    { key: "read.permits", args: { count: view.organiser } },
    { key: view.records.length ? "read.record.broken" : "read.record.unbroken" },
  ];
  if (view.table.freight)
    lines.push(
      view.freight >= 0
        ? { key: "read.freight", args: { at: view.freight } }
        : { key: "read.no-freight" },
    );
  const turn = view.turns[view.turns.length - 1];
  if (turn?.effect)
    lines.push({ key: "read.played", args: { seat: turn.current, effect: turn.effect } });
  view.players.forEach((player, seat) =>
    lines.push({
      key: "read.player",
      args: { seat, status: player.status, permits: player.permits, cards: player.interventions },
    }),
  );
  for (const { seat, card } of view.waiting_cards ?? [])
    lines.push({ key: "read.on-table", args: { seat, card } });
  if (view.vote.closed) lines.push({ key: "read.closed", args: { route: view.vote.closed } });
  if (view.vote.decided && !view.route)
    lines.push({ key: "read.decided", args: { route: view.vote.decided } });
  for (const seat of view.meeting?.falling ?? [])
    lines.push({ key: "read.falling", args: { seat } });
  (view.characters ?? []).forEach((role, seat) =>
    lines.push({ key: "read.character", args: { seat, role } }),
  );
  return lines;
}

/** What only the seat itself may hear. */
export function readOwn(view: TrainView): Line[] {
  const own = view.own;
  if (!own) return [];
  const lines: Line[] = [
    { key: "read.you", args: { role: own.character } },
    { key: "read.mission", args: { role: mission(view, own.character) } },
  ];
  if (own.cards.length) lines.push({ key: "read.cards", args: { cards: own.cards } });
  if (own.effects?.length) lines.push({ key: "read.effects", args: { cards: own.effects } });
  for (const look of own.seen ?? []) {
    if (look.look === "identity")
      lines.push({ key: "read.identity", args: { seat: look.seat, role: look.roles?.[0] } });
    if (look.look === "passenger-list")
      lines.push({ key: "read.list", args: { roles: look.roles } });
  }
  return lines;
}

function where(view: TrainView): Line {
  if (!view.route)
    return { key: "read.before-box", args: { at: view.at, left: box(view) - view.at } };
  const left = last(view, view.route) - view.at;
  return { key: "read.on-route", args: { at: view.at, route: view.route, left } };
}
