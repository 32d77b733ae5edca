/* The top line in the title's words: what is asked of whom, and what it is about. */

import type { Result } from "../../generated/protocol";
import type { Choice, Sight } from "./types";
import { name, say, tell, voice } from "../../lib/words/index.svelte";
import type { Headline } from "..";
import { seen, turnsLeft } from "./view";

export function headline(sight: Sight, must: boolean): Headline | null {
  const view = seen(sight);
  const { awaited, result } = sight.scene;
  if (result) return { line: won(sight, result) };
  const above = aside(sight);
  if (awaited.window) return { above, line: name("window", awaited.window) };
  if (must) return { above, line: asks(sight, firstOf(sight), []) };
  const names = voice.words.join((awaited.seats ?? []).map((seat) => sight.names[seat] ?? ""));
  const key = `stt.does.${view.step}`;
  const count = awaited.seats?.length ?? 0;
  if (voice.words.has(key)) return { above, line: voice.words.say(key, { names, count }) };
  return { above, line: say("shell.waiting", { names }) };
}

export function figure(sight: Sight): { number: number; label: string } | null {
  if (sight.scene.result) return null;
  const left = turnsLeft(seen(sight));
  return { number: left, label: say("stt.turns-left", { count: left }) };
}

/** How it ended is what the end itself says; the top line says for whom. */
function won(sight: Sight, result: Result): string {
  const names = sight.names.filter((_, seat) => result.outcomes[seat]?.won);
  if (!names.length) return say("stt.end.nobody");
  return say("stt.end.win", { names: voice.words.join(names), count: names.length });
}

/** "Turn 9 of 22 · Emma passed you two cards." */
function aside(sight: Sight): string {
  const view = seen(sight);
  if (!view.turn) return say("stt.before");
  const turn = say("stt.turn", { turn: view.turn, all: view.turn + turnsLeft(view) });
  if (view.step !== "play" || view.current < 0 || view.drawer === view.current) return turn;
  const drawer = sight.names[view.drawer] ?? "";
  if (sight.number === view.current) return `${turn} · ${say("stt.passed-you", { name: drawer })}`;
  return `${turn} · ${say("stt.passed-on", { name: drawer, other: sight.names[view.current] ?? "" })}`;
}

function firstOf(sight: Sight): string {
  const choices = sight.scene.question?.choices ?? [];
  return choices.find((choice) => choice.do.do !== "intervene")?.do.do ?? "";
}

/** What a step asks. */
export function asks(sight: Sight, about: string, begun: readonly Choice[]): string {
  const first = begun[0]?.do;
  if (first?.do === "play") return say("stt.ask.side", { card: name("effect", first.effect) });
  if (begun.length) return begun.map((step) => tell(step.line, sight.names)).join(", ");
  const key = `stt.ask.${about}`;
  return voice.words.has(key) ? voice.words.say(key) : say("shell.your-turn");
}
