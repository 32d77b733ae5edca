/* What a hint proposes, found again among the choices. */

import { same } from "./same";

/** The next of these choices that the hint would take, for whoever has begun as it would. */
export function proposed<C extends { do: unknown }>(
  hint: readonly unknown[] | null | undefined,
  begun: readonly unknown[],
  choices: readonly C[],
): C | null {
  if (!hint || !same(hint.slice(0, begun.length), begun)) return null;
  const step = hint[begun.length];
  return choices.find((choice) => same(choice.do, step)) ?? null;
}
