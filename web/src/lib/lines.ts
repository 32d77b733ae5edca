/* The lines of a chat as a page keeps them: in their order, each once, and not without end. */

import type { Chat } from "../generated/protocol";

/** So many are kept: as many as the server remembers, unless its settings say otherwise. */
export const MOST_LINES = 200;

/** These lines and one more, in its place. Nearly always that is the last: then the others are not looked at. */
export function withLine(lines: Chat[], line: Chat): Chat[] {
  const before = lines.findLastIndex(({ n }) => n <= line.n);
  if (lines[before]?.n === line.n) return lines; // a new connection tells them all again
  return [...lines.slice(0, before + 1), line, ...lines.slice(before + 1)].slice(-MOST_LINES);
}

/** Those that are not for one team alone. */
export function ofAll(lines: Chat[]): Chat[] {
  return lines.filter(({ to }) => to !== "team");
}
