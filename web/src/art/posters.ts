/* The posters on the wall: what is drawn on each, and what one wants to know before playing. */

import stopTheTrain from "./poster-stop-the-train.svg";
import tachiteAlTram from "./poster-tachite-al-tram.svg";
import trialByTrolley from "./poster-trial-by-trolley.svg";

export interface Poster {
  id: string;
  /** Which palette of tokens.css is its own. */
  palette: "stt" | "tachite" | "trial";
  picture: string;
  /** What of the picture is left to see when the poster is narrow, from left to right. */
  focus: string;
  minutes: number;
  /** How many play, where the server does not know the title yet. */
  seats: readonly [number, number];
  /** How many are a good table when somebody just wants to play. */
  company: number;
}

export const POSTERS: readonly Poster[] = [
  {
    id: "stop-the-train",
    palette: "stt",
    picture: stopTheTrain,
    focus: "42%",
    minutes: 45,
    seats: [4, 6],
    company: 5,
  },
  {
    id: "tachite-al-tram",
    palette: "tachite",
    picture: tachiteAlTram,
    focus: "66%",
    minutes: 60,
    seats: [2, 4],
    company: 3,
  },
  {
    id: "trial-by-trolley",
    palette: "trial",
    picture: trialByTrolley,
    focus: "50%",
    minutes: 40,
    seats: [3, 13],
    company: 5,
  },
];

/** The poster of a title; one without a poster of its own borrows the first. */
export function poster(title: string): Poster {
  return POSTERS.find((one) => one.id === title) ?? POSTERS[0]!;
}
