/* What is heard at a table: a bell when it is one's turn, a whistle at the end; the rest comes from the title. */

import { untrack } from "svelte";
import { attempt } from "../../lib/attempt";
import type { Seat } from "../../lib/seat.svelte";
import type { Sight } from "../../lib/sight";
import { play } from "../../lib/sound";
import type { Board } from "../../titles";

/** For what shows a table, from now on: what happened before is not heard. */
export function listen(table: () => { seat: Seat; sight: Sight; board: Board }): void {
  let rung = false;
  $effect(() => {
    const { must } = table().seat;
    if (must && !rung) play("bell");
    rung = must;
  });
  let heard = untrack(() => table().sight.happened.at(-1)?.n ?? 0);
  $effect(() => {
    const { sight, board } = table();
    const news = sight.happened.filter((one) => one.n > heard);
    heard = sight.happened.at(-1)?.n ?? 0;
    const sound = sight.scene.result
      ? "whistle"
      : attempt(() => board.sound?.(news.flatMap((one) => one.events)), null);
    if (news.length && sound) play(sound);
  });
}
