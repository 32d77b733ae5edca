/* Who sits where: as the rules seat them, or as somebody has placed them by hand. */

import type { Sight } from "./types";
import { seen } from "./view";

export type Seats = (string | null)[];

/** The hand-made order counts as long as it is about the people who are aboard. */
export function seatsOf(sight: Sight, seat: number): Seats {
  const tram = seen(sight).trams[seat]!;
  const said = sight.scene.said.findLast((one) => one.seat === seat && placed(one.said))?.said;
  const wanted = said ? (said as { seats: Seats }).seats : null;
  if (wanted && wanted.length === tram.seats.length && alike(wanted, tram.seats)) return wanted;
  return tram.seats;
}

function placed(said: unknown): boolean {
  return typeof said === "object" && said !== null && "seats" in said;
}

function alike(one: Seats, two: Seats): boolean {
  const people = (seats: Seats) => seats.filter(Boolean).sort().join();
  return people(one) === people(two);
}

export function swapped(seats: Seats, one: number, two: number): Seats {
  return seats.map((who, at) =>
    at === one ? (seats[two] ?? null) : at === two ? (seats[one] ?? null) : who,
  );
}
