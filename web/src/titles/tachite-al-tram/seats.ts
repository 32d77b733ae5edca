/* Who sits where: as the rules seat them, or as somebody has placed them by hand. */

import { isObject } from "../../lib/json";
import type { Sight } from "./types";
import { seen } from "./view";

export type Seats = (string | null)[];

/** The hand-made order counts as long as it is about the people who are aboard. */
export function seatsOf(sight: Sight, seat: number): Seats {
  const tram = seen(sight).trams[seat]!;
  const own = sight.scene.said.filter((one) => one.seat === seat).map((one) => one.said);
  const wanted = own.findLast(placed)?.seats;
  if (wanted && wanted.length === tram.seats.length && alike(wanted, tram.seats)) return wanted;
  return tram.seats;
}

function placed(said: unknown): said is { seats: Seats } {
  return isObject(said) && "seats" in said;
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
