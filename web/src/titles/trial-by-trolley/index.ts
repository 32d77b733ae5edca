/* Trial by Trolley on the pages outside its table. */

import type { Title } from "..";
import "./poster/colours.css";
import picture from "./poster/picture.svg";

const title: Title = {
  id: "trial-by-trolley",
  rules: "TT",
  poster: {
    palette: "trial",
    picture,
    focus: "50%",
    seats: [3, 13],
    company: 5,
  },
  board: () => import("./board"),
};
export default title;
