/* Tachite al Tram on the pages outside its table. */

import type { Title } from "..";
import "./poster/colours.css";
import picture from "./poster/picture.svg";

const title: Title = {
  id: "tachite-al-tram",
  rules: "TA",
  poster: {
    palette: "tachite",
    picture,
    focus: "66%",
    seats: [2, 4],
    company: 3,
  },
  board: () => import("./board"),
};
export default title;
