import { boardOf, drawer } from "..";
import { say } from "../../lib/words/index.svelte";
import Cards from "./drawers/Cards.svelte";
import Characters from "./drawers/Characters.svelte";
import Claims from "./drawers/Claims.svelte";
import { heard } from "./drawers/ledger";
import Notes from "./drawers/Notes.svelte";
import Hand from "./Hand.svelte";
import { figure, headline } from "./headline";
import { held } from "./held";
import { hits } from "./hits";
import { meets } from "./meeting";
import "./palette.css";
import type { Game } from "./types";
import Place from "./Place.svelte";
import Table from "./Table.svelte";
import { isGone, seen } from "./view";

/** Cards that slow the train down: they are heard. */
const BRAKES: readonly string[] = ["apply-the-brakes", "hit-the-brakes", "hard-brake"];

function brakes(event: Game["event"]): boolean {
  if (event.key === "event.played") return BRAKES.includes(event.args.effect);
  return event.key === "event.braked";
}

export default boardOf<Game>({
  headline,
  hits,
  figure,
  // A low screen has room for a map, the cards and the button; a meeting has more to show.
  least: (sight) => (meets(seen(sight)) ? 190 : 130),
  gone: (sight, seat) => isGone(seen(sight), seat),
  sound: (events) => {
    if (events.some((event) => event.key === "event.departure")) return "whistle";
    // Only what lies on the table: what a neighbour hears must not tell of one's hand.
    return events.some(brakes) ? "brakes" : null;
  },
  Table,
  Hand,
  Place,
  end: () => import("./end"),
  held,
  drawers: [
    drawer("claims", () => say("stt.claims"), "claims", Claims, heard),
    drawer("notes", () => say("stt.notes"), "notes", Notes),
    drawer("characters", () => say("stt.characters"), "people", Characters),
    drawer("cards", () => say("stt.cards"), "card", Cards),
  ],
});
