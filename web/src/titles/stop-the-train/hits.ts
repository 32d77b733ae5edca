/* What is done to somebody on this train, as the one it is done to is told. */

import type { Hit } from "..";
import type { Game } from "./types";

type Event = Game["event"];

export function hits(events: readonly Event[], seat: number): Hit[] {
  return events.flatMap((event) => suffered(event, seat) ?? done(event, seat) ?? []);
}

/** What simply happens to somebody. */
function suffered(event: Event, me: number): Hit | null {
  switch (event.key) {
    case "event.murdered":
      return event.args.seat === me ? hit("murdered") : null;
    case "event.burned":
      return event.args.seat === me ? hit("burned") : null;
    case "event.gun":
      return event.args.seat === me ? hit("gun") : null;
    case "event.seized":
      return event.args.seat === me ? hit("seized", { effect: event.args.effect }) : null;
    case "event.arrested":
      return event.args.seat === me ? hit("arrested") : null;
    case "event.falling":
      return event.args.seat === me ? hit("falling", { count: event.args.count }) : null;
    case "event.off":
      return event.args.seat === me ? hit("off") : null;
    default:
      return null;
  }
}

/** What one does to another. */
function done(event: Event, me: number): Hit | null {
  if (!event.args || !("other" in event.args)) return null;
  const { seat, other } = event.args;
  if (other !== me || seat === me) return null;
  switch (event.key) {
    case "event.permit.from":
      return hit("permit", { seat }, seat);
    case "event.robbed":
    case "event.robbed.own": // which card it was is one's own business
      return hit("robbed", { seat }, seat);
    case "event.looked":
      return hit("looked", { seat }, seat);
    case "event.intervened.seat":
      return hit("named", { seat, card: event.args.card }, seat);
    case "event.cancelled":
      return hit("cancelled", { seat, card: event.args.card }, seat);
    case "event.showdown.won":
      return hit("showdown", { seat }, seat);
    case "event.ballot":
      return hit("ballot", { seat }, seat);
    case "event.dragged":
    case "event.pulled":
      return hit("dragged", { seat }, seat);
    case "event.saved":
      return { ...hit("saved", { seat }, seat), good: true };
    case "saying.accuse":
      return hit("accused", { seat }, seat);
    default:
      return null;
  }
}

function hit(what: string, args: Record<string, unknown> = {}, by: number | null = null): Hit {
  return { by, line: { key: `stt.hit.${what}`, args } };
}
