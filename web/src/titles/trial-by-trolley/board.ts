import { boardOf, drawer } from "..";
import type { Sight } from "./types";
import { say } from "../../lib/words/index.svelte";
import Pleas from "./drawers/Pleas.svelte";
import Team from "./drawers/Team.svelte";
import Toll from "./drawers/Toll.svelte";
import Hand from "./Hand.svelte";
import { headline } from "./headline";
import { held } from "./held";
import { hits } from "./hits";
import "./palette.css";
import type { Game } from "./types";
import Place from "./Place.svelte";
import Table from "./Table.svelte";
import { tellings } from "./view";

/** What was pleaded in this round. */
function heard(sight: Sight): number {
  return tellings(sight.happened).at(-1)?.pleas.length ?? 0;
}

export default boardOf<Game>({
  headline,
  hits,
  layout: "wide",
  least: () => 420, // a low screen scrolls, and the tracks need more of it than a map
  sound: (events) => (events.some((event) => event.key === "event.verdict") ? "brakes" : null),
  Table,
  Hand,
  Place,
  end: () => import("./end"),
  held,
  drawers: [
    drawer("pleas", () => say("tbt.pleas"), "sound", Pleas, heard),
    drawer("team", () => say("tbt.team"), "people", Team),
    drawer("toll", () => say("tbt.toll"), "notes", Toll),
  ],
});
