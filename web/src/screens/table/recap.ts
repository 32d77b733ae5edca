/* "Since your last move": what the others did while one looked away or was gone. */

import { isObject, kept } from "../../lib/json";
import type { Happened } from "../../lib/seat.svelte";
import { tellings, type Telling } from "./narrate";

export interface Row extends Telling {
  n: number;
  /** It was done to me. */
  hit: boolean;
}

/** One thing may be missed without being told of it again. */
const LEAST = 2;
/** More than that nobody reads. */
const MOST = 12;

/** What somebody is to be told again who has seen nothing after `seen`, oldest first; [] where that is not
    worth the while. */
export function recap(
  happened: readonly Happened[],
  seen: number,
  me: number,
  hits: (events: Happened["events"]) => boolean,
): Row[] {
  const rows = happened.flatMap((frame): Row[] =>
    tellings([frame], true, () => 0).map((telling) => ({
      ...telling,
      n: frame.n,
      hit: hits(frame.events),
    })),
  );
  const missed = rows.filter(({ n, seat }) => n > seen && seat !== null && seat !== me);
  if (missed.length < LEAST && !missed.some(({ hit }) => hit)) return [];
  const moved = rows.findLastIndex(({ n, seat }) => n <= seen && seat === me);
  const since = rows.slice(moved + 1);
  return (moved < 0 ? rows.filter(({ n }) => n > seen) : since).slice(-MOST);
}

// --- who was gone --------------------------------------------------------------------------------

const KEY = "capolinea-seen";

interface Seen {
  match: string;
  /** By seat: the number of what was told last. */
  seats: Record<string, number>;
}

/** Up to where this seat had seen the match when it was last looked at in this browser; null: it never was. */
export function lastSeen(match: string, seat: number): number | null {
  const seen = kept<unknown>(KEY, null);
  if (!isSeen(seen) || seen.match !== match) return null;
  return seen.seats[seat] ?? null;
}

export function see(match: string, seat: number, n: number): void {
  const seen = kept<unknown>(KEY, null);
  const before = isSeen(seen) && seen.match === match ? seen.seats : {};
  try {
    const now: Seen = { match, seats: { ...before, [seat]: n } };
    localStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // A browser that keeps nothing: who reloads is not told again.
  }
}

function isSeen(value: unknown): value is Seen {
  return isObject(value) && isObject(value["seats"]);
}
