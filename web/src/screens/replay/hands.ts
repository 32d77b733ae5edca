/* Whose hands a replay lays open: those that its viewer saw; with all revealed, everybody's. */

import type { Sight } from "../../lib/sight";
import type { Board, Held } from "../../titles";

/** `views`: what each seat saw at this moment, where all is revealed. */
export function hands(board: Board, sight: Sight, views: readonly unknown[] | null): Held[] {
  const held = board.held ?? (() => []);
  if (!views) return held(sight);
  return views.flatMap((view, number) =>
    held({ ...sight, number, scene: { ...sight.scene, view } }).filter(
      (one) => one.seat === number,
    ),
  );
}
