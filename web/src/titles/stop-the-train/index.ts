/* Stop the Train! on the pages outside its table. */

import type { Title } from "..";
import "./poster/colours.css";
import picture from "./poster/picture.svg";

const title: Title = {
  id: "stop-the-train",
  rules: "ST",
  poster: {
    palette: "stt",
    picture,
    focus: "42%",
    seats: [4, 6],
    company: 5,
  },
  board: () => import("./board"),
};
export default title;
