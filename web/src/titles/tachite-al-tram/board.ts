import { boardOf, drawer } from "..";
import { say } from "../../lib/words/index.svelte";
import Boards from "./drawers/Boards.svelte";
import Cards from "./drawers/Cards.svelte";
import People from "./drawers/People.svelte";
import Hand from "./Hand.svelte";
import { figure, headline } from "./headline";
import { held } from "./held";
import { hits } from "./hits";
import "./palette.css";
import type { Game } from "./types";
import Place from "./Place.svelte";
import Plate from "./Plate.svelte";
import Table from "./Table.svelte";

export default boardOf<Game>({
  headline,
  hits,
  figure,
  layout: "tall",
  beside: true,
  sound: (events) => {
    const keys = events.map((event) => event.key);
    if (keys.includes("event.set-down")) return "whistle";
    if (keys.includes("event.collided") || keys.includes("event.ran-off")) return "brakes";
    return null;
  },
  Mark: Plate,
  Table,
  Hand,
  Place,
  end: () => import("./end"),
  held,
  drawers: [
    drawer("boards", () => say("tat.boards"), "permit", Boards),
    drawer("people", () => say("tat.people"), "people", People),
    drawer("cards", () => say("tat.cards"), "card", Cards),
  ],
});
