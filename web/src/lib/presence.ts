/* Who is in a room comes and goes more often than anything else in it changes. */

import type { Presence, RoomView } from "../generated/protocol";

/** The room with those who are in it now. */
export function present(room: RoomView, news: Presence): RoomView {
  const { came = [], went = [], seats = [], watchers = 0, n = 0 } = news;
  const known = new Map([...room.people, ...came].map((person) => [person.number, person]));
  return {
    ...room,
    people: [...known.values()].map((person) =>
      went.includes(person.number) ? { ...person, present: false } : person,
    ),
    seats: room.seats.map((seat, number) => ({ ...seat, present: seats.includes(number) })),
    watchers,
    n,
  };
}
