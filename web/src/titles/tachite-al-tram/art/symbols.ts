/* The passengers are drawn once a page, and used wherever one is shown. */

import { BUST, FILL, KINDS, PATTERN, SHADE, TOKEN, type Colour } from "./people";

const ID = "tat-people";

/** Whose colour is whose is a matter of the board; until it is there, of the one in the box. */
let colours: Record<string, Colour> = {
  vecion: "mar",
  lem: "mar",
  nagana: "mar",
  mocoloso: "bosco",
  squinzia: "bosco",
  marantiga: "bosco",
  lole: "terran",
  cotoler: "terran",
  petesson: "terran",
  panzon: "sol",
  spuzolente: "sol",
  ciacoleta: "sol",
};

function symbol(kind: string): string {
  const colour = colours[kind] ?? "mar";
  const bust =
    colour === "sol" ? `<g clip-path="url(#tat-sun)">${BUST[kind]}</g>` : (BUST[kind] ?? "");
  return (
    `<symbol id="tat-${kind}" viewBox="0 0 64 64"><path d="${TOKEN[colour]}" fill="${FILL[colour]}"/>` +
    `<g clip-path="url(#tat-token-${colour})"><g stroke="${SHADE[colour]}" fill="${SHADE[colour]}">${PATTERN[colour]}</g>${bust}</g></symbol>`
  );
}

/** Have them on the page. */
export function drawPeople(): void {
  if (document.getElementById(ID)) return;
  const clips = Object.entries(TOKEN).map(
    ([colour, d]) => `<clipPath id="tat-token-${colour}"><path d="${d}"/></clipPath>`,
  );
  document.body.insertAdjacentHTML(
    "beforeend",
    `<svg id="${ID}" class="sr" width="0" height="0" aria-hidden="true"><defs>${clips.join("")}` +
      `<clipPath id="tat-sun"><circle cx="32" cy="32" r="27.5"/></clipPath>${KINDS.map(symbol).join("")}</defs></svg>`,
  );
}

/** A board may paint them otherwise. */
export function paintPeople(painted: Record<string, Colour>): void {
  if (KINDS.every((kind) => (painted[kind] ?? colours[kind]) === colours[kind])) return;
  colours = { ...colours, ...painted };
  document.getElementById(ID)?.remove();
  drawPeople();
}
