/* What cards name, and what Modifiers mean, in words. */

import { name, say, tell, voice } from "../../lib/words/index.svelte";
import type { Side, Spoken, Standing } from "./view";

/** The things on a card that one can point at (TT-2.5). */
export function thingsOf(card: string): string[] {
  const found: string[] = [];
  while (voice.words.has(`thing.${card}.${found.length}`))
    found.push(name("thing", `${card}.${found.length}`));
  return found;
}

/** What a Modifier points at; "" is the whole card. */
export function meaning(point: Spoken | undefined): string {
  if (!point) return "";
  const thing = String(point.args.thing);
  return point.key === "saying.point.thing" ? name("thing", thing) : thing;
}

/** What somebody said, without their name: that stands beside it. */
export function speech({ key, args }: Spoken): string {
  if (key === "saying.plea" || key === "saying.reason") return String(args.text);
  if (key === "saying.rest") return say("tbt.rests");
  return bare(
    tell(
      { key, args },
      Array.from({ length: 14 }, () => ""),
    ),
  );
}

/** A ready-made line begins with a name and has its words in quotation marks; Italian has its full stop after them. */
export function bare(line: string): string {
  return line.replace(/^.*?[“„«](.*)[”“»]([^”“»]*)$/su, "$1$2");
}

/** A place on a track by a letter and a number, as it is tapped. */
export function spot(side: Side, place: number): string {
  return `${name("tbt.side.letter", side)}${place + 1}`;
}

/** A card with what hangs on it, in one sentence. */
export function whole(standing: Standing): string {
  return [standing.card, ...standing.modifiers.map((laid) => laid.card)]
    .map((card) => name("card", card))
    .join(", … ");
}
