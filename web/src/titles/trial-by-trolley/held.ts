/* What a team holds: all of it may see the cards of all of it (TT-2.1). */

import type { Held } from "..";
import type { Sight } from "./types";
import { name, say } from "../../lib/words/index.svelte";
import { seen } from "./view";

export function held(sight: Sight): Held[] {
  const hands = seen(sight).own?.hands ?? [];
  const cards = (pile: readonly string[] = []) => pile.map((card) => name("card", card));
  return hands.map(({ seat, innocent, guilty, modifier }) => ({
    seat,
    piles: [
      { label: say("tbt.innocent"), cards: cards(innocent) },
      { label: say("tbt.guilty"), cards: cards(guilty) },
      { label: say("tbt.modifier"), cards: cards(modifier) },
    ],
  }));
}
