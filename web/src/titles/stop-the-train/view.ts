/* What the boards of this title are drawn from, by its own types. */

import type { Sight } from "./types";
import type { TrainView } from "../../generated/stop-the-train";

export type { TrainPreview, TrainView } from "../../generated/stop-the-train";

export function seen(sight: Sight): TrainView {
  return sight.scene.view;
}

export const ROUTES = ["fast-track", "viaduct", "scenic-route"] as const;

/** How many spaces a section has. */
export function spaces(view: TrainView, section: string): number {
  return view.table.sections.find((one) => one.id === section)?.spaces ?? 0;
}

/** The place of the signal box, counted from START. */
export function box(view: TrainView): number {
  return spaces(view, "line");
}

/** The last space before Paris, by a route. */
export function last(view: TrainView, route: string): number {
  return box(view) + spaces(view, route) + spaces(view, "paris");
}

/** How far it still is to Paris: from … to, while the route is open. */
export function toParis(view: TrainView): [number, number] {
  const routes = view.route ? [view.route] : openRoutes(view);
  const left = routes.map((route) => last(view, route) - view.at);
  return [Math.min(...left), Math.max(...left)];
}

/** "14", or "12–17" while the route is open. */
export function farToParis(view: TrainView): string {
  const [least, most] = toParis(view);
  return least === most ? `${least}` : `${least}–${most}`;
}

function openRoutes(view: TrainView): string[] {
  if (view.vote.decided) return [view.vote.decided];
  return ROUTES.filter((route) => route !== view.vote.closed);
}

/** How many turns the deck still has, this one not counted. */
export function turnsLeft(view: TrainView): number {
  return Math.floor(view.deck / 3);
}

export interface Stretch {
  /** `<section>.<number>`: by this its name is known. */
  id: string;
  kind: string;
  first: number;
  last: number;
}

/** What lies on the way by a route, from START on; "" is as far as the signal box. */
export function stretches(view: TrainView, route: string): Stretch[] {
  const found: Stretch[] = [];
  let before = 0;
  for (const id of route ? ["line", route, "paris"] : ["line"]) {
    const section = view.table.sections.find((one) => one.id === id);
    section?.places.forEach((place, number) =>
      found.push({
        id: `${id}.${number}`,
        kind: place.kind,
        first: before + place.first,
        last: before + place.last,
      }),
    );
    before += section?.spaces ?? 0;
  }
  return found;
}

/** At which meeting somebody left the train, as its turn; 0 if at none. */
export function leftOnTurn(view: TrainView, seat: number): number {
  const meeting = view.meetings.find((one) => one.off.includes(seat));
  if (meeting) return meeting.turn;
  const murder = view.spent.find(
    (one) => one.card === "murder-in-the-dark" && one.other === seat && !one.cancelled,
  );
  return view.players[seat]?.status === "dead" ? (murder?.turn ?? 0) : 0;
}

/** Whether somebody has left the train, alive or not. */
export function isGone(view: TrainView, seat: number): boolean {
  const status = view.players[seat]?.status;
  return status === "off" || status === "dead";
}

/** What a table's options make of a character (the same as `mission` in read.py). */
export function mission(view: TrainView, role: string): string {
  if (role === "mi6-agent" && view.table.strict_agent) return "mi6-agent.strict";
  if (role === "rogue" && view.table.freight) return "rogue.freight";
  if (role === "speedster" && view.table.two_hills) return "speedster.two-hills";
  return role;
}
