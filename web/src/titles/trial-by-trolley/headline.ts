/* The top line in the title's words: what is asked of whom, and what it is about. */

import type { Result } from "../../generated/protocol";
import type { Sight } from "./types";
import { say, voice } from "../../lib/words/index.svelte";
import type { Headline } from "..";
import { seen } from "./view";

export function headline(sight: Sight, must: boolean): Headline | null {
  const view = seen(sight);
  const { awaited, result } = sight.scene;
  if (result) return { line: won(sight, result) };
  const above = aside(sight);
  if (must) {
    switch (view.phase) {
      case "innocent":
        return { above, line: say("tbt.your.innocent") };
      case "guilty":
        return { above, line: say("tbt.your.guilty") };
      case "modifier":
        return { above, line: say("tbt.your.modifier") };
      case "plea":
        return { above, line: say("tbt.your.plea") };
      case "verdict":
        return { above, line: say("tbt.your.verdict") };
    }
  }
  const seats = awaited.seats ?? [];
  const names = voice.words.join(seats.map((seat) => sight.names[seat] ?? ""));
  const count = seats.length;
  const conductor = sight.names[view.conductor] ?? "";
  switch (view.phase) {
    case "innocent":
      return { above, line: say("tbt.does.innocent", { names, count }) };
    case "guilty":
      return { above, line: say("tbt.does.guilty", { names, count }) };
    case "modifier":
      return { above, line: say("tbt.does.modifier", { names }) };
    case "plea":
      return { above, line: view.own ? say("tbt.plead.life") : say("tbt.does.plea") };
    case "verdict":
      return { above, line: say("tbt.does.verdict", { name: conductor }) };
  }
  return { above, line: say("shell.waiting", { names }) };
}

/** "Round 3 of 7. Zora holds the lever. Everyone an accomplice." */
function aside(sight: Sight): string {
  const view = seen(sight);
  const round = Math.min(view.round + 1, view.rounds);
  const said = [
    say("tbt.round", { round, rounds: view.rounds }),
    view.conductor === sight.number
      ? say("tbt.lever.you")
      : say("tbt.lever.holds", { name: sight.names[view.conductor] ?? "" }),
  ];
  if (view.accomplices) said.push(say("tbt.accomplices"));
  return said.join(" ");
}

function won(sight: Sight, result: Result): string {
  const names = sight.names.filter((_, seat) => result.outcomes[seat]?.won);
  return say("tbt.end.win", { names: voice.words.join(names), count: names.length });
}
