/* What a hint proposes, found again among the choices. */

import type { Choice } from "../generated/protocol";
import { same } from "./same";
import type { Action } from "./seat.svelte";

/** The next of these choices that the hint would take, for whoever has begun as it would. */
export function proposed(
  hint: readonly Action[] | null | undefined,
  begun: readonly Action[],
  choices: readonly Choice[],
): Choice | null {
  if (!hint || !same(hint.slice(0, begun.length), begun)) return null;
  const step = hint[begun.length];
  return choices.find((choice) => same(choice.do, step)) ?? null;
}
