/* What is awaited, and of whom: in the title's own words or, where it has none, in plain ones. */

import { attempt } from "../../lib/attempt";
import type { Sight } from "../../lib/sight";
import { name, say, voice } from "../../lib/words/index.svelte";
import type { Board, Headline } from "../../titles";

export function headlineOf(sight: Sight, board: Board, mine: boolean): Headline {
  return attempt(() => board.headline?.(sight, mine), null) ?? plain(sight, mine);
}

function plain(sight: Sight, mine: boolean): Headline {
  const { awaited, result } = sight.scene;
  if (result) return { line: name("ending", result.ending) };
  if (awaited.window) {
    return { above: say("shell.window"), line: name("window", awaited.window) };
  }
  const seats = awaited.seats ?? [];
  if (mine && seats.length === 1) return { line: say("shell.your-turn") };
  if (mine) return { line: say("shell.your-choice") };
  const names = voice.words.join(seats.map((one) => sight.names[one] ?? ""));
  return { line: say("shell.waiting", { names }) };
}
