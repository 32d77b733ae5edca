/* The log: what was told, as it may lie open on a table with neighbours. */

import type { Line, Told } from "../../generated/protocol";
import type { Happened } from "../../lib/seat.svelte";
import type { Sight } from "../../lib/sight";

/** What was told at once. */
export interface Paragraph {
  n: number;
  lines: Line[];
}

const BOT = "log.control.bot";

/** Whether neighbours may look on: in a replay, and after the end, nothing is covered. */
export function covers(sight: Sight): boolean {
  return sight.code !== "" && sight.number !== null && !sight.scene.result;
}

/** Newest first, without what there is nothing to say about. */
export function paragraphs(happened: readonly Happened[], covered: boolean): Paragraph[] {
  const found: Paragraph[] = [];
  for (const { n, events } of happened) {
    const lines = events.flatMap((event) => (covered ? uncovered(event) : [event]));
    const before = found.at(-1)?.lines ?? [];
    if (lines.length && all(lines) && before.length && all(before))
      found[found.length - 1] = { n, lines: [together([...before, ...lines])] };
    else if (lines.length) found.push({ n, lines });
  }
  return found.reverse();
}

export function secret(happened: readonly Happened[]): boolean {
  return happened.some(({ events }) => events.some((event) => event.private));
}

/** What others are told in place of this. */
function uncovered(event: Told): Line[] {
  if (!event.private) return [event];
  return event.others ? [{ key: event.others, args: event.args ?? {} }] : [];
}

/** A match begins with a bot sitting down in one seat after the other: that is one thing to read. */
function all(lines: readonly Line[]): boolean {
  return lines.every(({ key }) => key === BOT || key === "shell.log.bots");
}

function together(lines: readonly Line[]): Line {
  const seats = lines.flatMap(({ args }) => args?.["seats"] ?? args?.["seat"]);
  return { key: "shell.log.bots", args: { seats } };
}
