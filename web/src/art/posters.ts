/* The posters on the wall, in the order of the titles. */

import { TITLES, type Art, type Poster as Drawn } from "../titles";
import picture from "./plain.svg";
import "./plain.css";

export type Poster = Drawn & { id: string };

export const POSTERS: readonly Poster[] = TITLES.flatMap(({ id, poster }) =>
  poster ? [{ ...poster, id }] : [],
);

/** For titles that bring no picture: a plain one, on which the name is written. */
const PLAIN: Art = { palette: "plain", picture, focus: "50%" };

export function poster(title: string): Poster | undefined {
  return POSTERS.find((one) => one.id === title);
}

export function art(title: string): Art {
  return poster(title) ?? PLAIN;
}
