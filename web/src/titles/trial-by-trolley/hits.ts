/* Whom the trolley runs over, as they are told. */

import type { Hit } from "..";
import type { Game } from "./types";

export function hits(events: readonly Game["event"][], me: number): Hit[] {
  return events.flatMap((event) => {
    if (event.key !== "event.verdict" || !event.args.team.includes(me)) return [];
    const { seat, track } = event.args;
    return [{ by: seat, line: { key: "tbt.hit.verdict", args: { seat, track } } }];
  });
}
