/* The posters on the wall, in the order of the titles. */

import { TITLES, type Poster as Drawn } from "../titles";

export type Poster = Drawn & { id: string };

export const POSTERS: readonly Poster[] = TITLES.flatMap(({ id, poster }) =>
  poster ? [{ ...poster, id }] : [],
);

/** The poster of a title; one without a poster of its own borrows the first. */
export function poster(title: string): Poster {
  return POSTERS.find((one) => one.id === title) ?? POSTERS[0]!;
}
