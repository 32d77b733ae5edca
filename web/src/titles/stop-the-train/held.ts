/* What a passenger holds: who they are, and their cards. */

import type { Held } from "..";
import type { Sight } from "./types";
import { name, say } from "../../lib/words/index.svelte";
import { seen } from "./view";

export function held(sight: Sight): Held[] {
  const { own } = seen(sight);
  if (!own || sight.number === null) return [];
  return [
    {
      seat: sight.number,
      role: name("role", own.character),
      piles: [
        {
          label: say("stt.cards.effects"),
          cards: (own.effects ?? []).map((one) => name("effect", one)),
        },
        {
          label: say("stt.cards.interventions"),
          cards: own.cards.map((one) => name("card", one)),
        },
      ],
    },
  ];
}
