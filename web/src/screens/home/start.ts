/* From the wall to a table: alone with bots at once, or to a room for friends. */

import { kept } from "../../lib/json";
import type { NewRoom, TitleView } from "../../generated/protocol";
import { poster } from "../../art/posters";
import { api } from "../../lib/api";
import { prefs } from "../../lib/prefs.svelte";
import { router } from "../../lib/router.svelte";
import { official } from "../../parts/titles.svelte";

const PLAYED = "capolinea.played";
const FIRST = "first-game";

/** A match with bots, begun at once. The first one of a title goes by the gentlest preset. */
export async function playNow(title: TitleView): Promise<void> {
  const bot = title.bots[0]!;
  const company = poster(title.id)?.company ?? official(title)[0];
  const wish: NewRoom = {
    title: title.id,
    name: prefs.name,
    bots: Array.from({ length: company - 1 }, () => bot),
    settings: { watching: false }, // else reactions would take their whole time
    start: true,
  };
  const first = FIRST in title.presets && !played().includes(title.id);
  await open(first ? { ...wish, preset: FIRST } : wish);
  remember(title.id);
}

export function playWithFriends(title: TitleView): Promise<void> {
  return open({ title: title.id, name: prefs.name });
}

async function open(wish: NewRoom): Promise<void> {
  const room = await api.create(wish);
  router.go(`/room/${room.code}`);
}

function played(): string[] {
  return kept<string[]>(PLAYED, []);
}

function remember(title: string): void {
  try {
    localStorage.setItem(PLAYED, JSON.stringify([...new Set([...played(), title])]));
  } catch {
    // Then it is always the first time.
  }
}
