/* What the drivers hold: nothing of it is secret. */

import type { Held } from "..";
import type { Sight } from "./types";
import { name, say } from "../../lib/words/index.svelte";
import { seen } from "./view";

export function held(sight: Sight): Held[] {
  return seen(sight).trams.map(({ hand, kept }, seat) => ({
    seat,
    piles: [
      { label: say("tat.tiles"), cards: hand.map((tile) => name("tile", tile)) },
      { label: say("tat.kept"), cards: kept.map((card) => name("misfortune", card)) },
    ],
  }));
}
