/* The top line in the title's words: whose turn it is, and what is asked. */

import type { Sight } from "./types";
import { say, voice } from "../../lib/words/index.svelte";
import type { Headline } from "..";
import { stageOf } from "./stage";
import { seen } from "./view";

export function headline(sight: Sight, must: boolean): Headline | null {
  const view = seen(sight);
  const { awaited, result } = sight.scene;
  if (result) {
    const names = sight.names.filter((_, seat) => result.outcomes[seat]?.won);
    return { line: say("tat.end.win", { names: voice.words.join(names), count: names.length }) };
  }
  const above = say("tat.above", { round: view.round, goal: view.goal });
  if (must) {
    const stage = stageOf(sight.scene.question?.choices ?? []);
    const key = `tat.your.${stage}`;
    return { above, line: voice.words.has(key) ? voice.words.say(key) : say("shell.your-turn") };
  }
  const names = voice.words.join((awaited.seats ?? []).map((seat) => sight.names[seat] ?? ""));
  const key = `tat.does.${view.phase}`;
  if (voice.words.has(key)) return { above, line: voice.words.say(key, { names }) };
  return { above, line: say("shell.waiting", { names }) };
}

export function figure(sight: Sight): { number: number; label: string } | null {
  if (sight.scene.result) return null;
  const left = seen(sight).face_down;
  return { number: left, label: say("tat.tiles-left", { count: left }) };
}
