/* What happened at a mark on the run, in words: a title and a line below. */

import { name, say, voice } from "../../../lib/words/index.svelte";
import type { Sight } from "../types";
import { seen } from "../view";
import type { Mark } from "./story";

export function told(sight: Sight, mark: Mark): { title: string; text: string } {
  const view = seen(sight);
  const names = voice.words.join(mark.seats.map((seat) => sight.names[seat] ?? ""));
  switch (mark.what) {
    case "off":
      return { title: say("stt.mark.off", { names }), text: decided(sight, mark) };
    case "dead":
      return { title: say("stt.mark.dead", { names }), text: "" };
    case "tie":
      return { title: say("stt.mark.tie"), text: decided(sight, mark) };
    case "vote":
      return {
        title: name("route", view.route || view.vote.decided || ""),
        text: decided(sight, mark),
      };
    case "record":
      return { title: say("stt.mark.record"), text: "" };
    case "end":
      return { title: name("stt.mark.end", sight.scene.result?.ending ?? ""), text: "" };
  }
}

/** "3 : 2", "2 : 2, Swing Vote: Ada" or, whatever the votes were, "Run the Red: Ada". */
function decided(sight: Sight, { votes, by }: Mark): string {
  const card =
    by && say("stt.mark.by", { card: name("card", by.card), name: sight.names[by.seat] ?? "" });
  return [votes.join(" : "), card].filter(Boolean).join(", ");
}
