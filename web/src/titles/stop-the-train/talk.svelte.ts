/* The talk before a vote: whose turn to speak it would be if all had the same time, which stops nobody.
   The table ends the talk as a whole (the clock of its window tells when). Everybody counts from when
   the meeting began; a page that came later and does not know that says so by showing no clock. */

import type { Sight } from "./types";
import { speakers, talking } from "./meeting";
import { seen } from "./view";

const KEPT = "capolinea-talk";
const MINUTE = 60_000;

class Talk {
  private meeting = $state("");
  private began = $state(0);

  /** Look whether a meeting has begun; `fresh`: the page has only just come to this table. */
  watch(sight: Sight, fresh: boolean): void {
    const key = keyOf(sight);
    if (key === this.meeting) return;
    this.meeting = key;
    this.began = !key ? 0 : fresh ? recalled(key) : Date.now();
    if (this.began) keep(key, this.began);
  }

  /** How long people have been talking; null if nobody knows. */
  past(sight: Sight, now: number): number | null {
    return this.began && keyOf(sight) === this.meeting ? Math.max(0, now - this.began) : null;
  }
}

export const talk = new Talk();

/** Who talks: people, in the order of the table. Bots have nothing to say. */
export function talkers(sight: Sight): number[] {
  const people = speakers(seen(sight)).filter((seat) => sight.scene.players[seat] !== "bot");
  return people.length > 1 && talking(seen(sight)) ? people : [];
}

export interface Floor {
  /** Who has the floor; -1 when all have had it. */
  seat: number;
  /** Milliseconds: theirs, and in all. */
  own: number;
  all: number;
}

/** Everybody has the same part of the time. */
export function floor(people: readonly number[], minutes: number, past: number): Floor {
  const part = (minutes * MINUTE) / people.length;
  const turn = Math.floor(past / part);
  return {
    seat: people[turn] ?? -1,
    own: Math.max(0, (turn + 1) * part - past),
    all: Math.max(0, minutes * MINUTE - past),
  };
}

/** "4:05". */
export function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function keyOf(sight: Sight): string {
  const view = seen(sight);
  return talking(view) ? `${sight.match} ${view.turn} ${view.meetings.length}` : "";
}

function keep(key: string, began: number): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([key, began]));
  } catch {
    // A browser that keeps nothing: a reload forgets it.
  }
}

function recalled(key: string): number {
  try {
    const [known, began] = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as [string?, number?];
    return known === key ? (began ?? 0) : 0;
  } catch {
    return 0;
  }
}
