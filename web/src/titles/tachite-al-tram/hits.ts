/* What happens to somebody's tram through no doing of theirs, as they are told. */

import type { Hit } from "..";
import type { Game } from "./types";

type Event = Game["event"];

export function hits(events: readonly Event[], me: number): Hit[] {
  const own = events.some((event) => drove(event, me));
  const found: Hit[] = [];
  // What a card does is shown on the board until it has been read.
  let card = false;
  for (const event of events) {
    card ||= event.key === "event.misfortune";
    const one = struck(event, me) ?? (own && !card ? null : harmed(event, me));
    const luck = card ? lucky(event, me) : null;
    if (one) found.push({ ...one, shown: card });
    if (luck) found.push({ ...luck, good: true, shown: true });
  }
  return found;
}

/** Whoever drives off the rails, or into another, knows it. */
function drove(event: Event, me: number): boolean {
  return (
    (event.key === "event.ran-off" || event.key === "event.collided") && event.args.seat === me
  );
}

function struck(event: Event, me: number): Hit | null {
  switch (event.key) {
    case "event.collided":
      if (!event.args.others.includes(me)) return null;
      return hit("collided", { seat: event.args.seat, at: event.args.at }, event.args.seat);
    case "event.lost":
      return event.args.seat === me ? hit("lost", { passenger: event.args.passenger }) : null;
    case "event.handed": {
      const { seat, other, passenger } = event.args;
      return seat === me ? hit("handed", { passenger, other }, other) : null;
    }
    case "event.carried":
      return event.args.seat === me ? hit("carried", { at: event.args.at }) : null;
    default:
      return null;
  }
}

function harmed(event: Event, me: number): Hit | null {
  if (event.key === "event.damaged" && event.args.seat === me)
    return hit("damaged", { damage: event.args.damage });
  if (event.key === "event.wrecked" && event.args.seat === me) return hit("wrecked");
  return null;
}

function lucky(event: Event, me: number): Hit | null {
  if (event.key === "event.gained" && event.args.seat === me)
    return hit("gained", { passenger: event.args.passenger });
  if (event.key === "event.handed" && event.args.other === me)
    return hit("gained", { passenger: event.args.passenger });
  if (event.key === "event.repaired" && event.args.seat === me)
    return hit("repaired", { damage: event.args.damage });
  return null;
}

function hit(what: string, args: Record<string, unknown> = {}, by: number | null = null): Hit {
  return { by, line: { key: `tat.hit.${what}`, args } };
}
