/* What stands on the land, 100 × 100 a square. Colours come from the palette: by evening they are others. */

const shadow = (d: string) => `<path fill="var(--tat-night)" opacity=".16" d="${d}"/>`;

/** Two drawings of each, so that neighbours differ. */
export const OBSTACLES: Record<string, readonly [string, string]> = {
  rock: [
    `${shadow("M8 86h86l-8-8H14z")}<path fill="var(--tat-rock)" d="M12 84l14-44 26-20 30 26 8 38z"/><path fill="var(--tat-rock-light)" d="M12 84l14-44 26-20-6 30-14 34z"/><path fill="var(--tat-rock-mid)" d="M52 20l-6 30 22-8z"/><path fill="var(--tat-rock-dark)" d="M46 50l22-8 10 42H32z"/>`,
    `${shadow("M6 88h90l-8-8H12z")}<path fill="var(--tat-rock)" d="M10 86L34 26l20 22 14-14 24 52z"/><path fill="var(--tat-rock-light)" d="M10 86L34 26l7 8-9 52z"/><path fill="var(--tat-rock-light)" d="M58 86l10-52 8 18-6 34z"/><path fill="var(--tat-rock-dark)" d="M41 34l13 14-8 38H32z"/>`,
  ],
  tree: [
    `<ellipse cx="52" cy="86" rx="32" ry="6" fill="var(--tat-night)" opacity=".16"/><path fill="var(--tat-trunk)" d="M29 72h5v14h-5zM67 68h5v18h-5z"/><path fill="var(--tat-leaf)" d="M31 24c12 14 15 34 0 52-15-18-12-38 0-52z"/><path fill="var(--tat-leaf-dark)" d="M31 24c12 14 15 34 0 52z"/><path fill="var(--tat-leaf)" d="M69 10c15 18 18 44 0 66-18-22-15-48 0-66z"/><path fill="var(--tat-leaf-dark)" d="M69 10c15 18 18 44 0 66z"/>`,
    `<ellipse cx="52" cy="86" rx="30" ry="6" fill="var(--tat-night)" opacity=".16"/><path fill="var(--tat-trunk)" d="M46 70h8v16h-8z"/><path fill="var(--tat-leaf)" d="M50 10L24 50h12L20 76h60L64 50h12z"/><path fill="var(--tat-leaf-dark)" d="M50 10l26 40H64l16 26H50z"/>`,
  ],
  house: [
    `${shadow("M18 90h76l-8-8H18z")}<path fill="var(--tat-ochre)" d="M12 28h34v58H12z"/><path fill="var(--tat-wall)" d="M46 38h42v48H46z"/><path fill="var(--tat-roof)" d="M8 30l8-14h28l6 14z"/><path fill="var(--tat-roof-dark)" d="M44 40l6-12h32l8 12z"/><path fill="var(--tat-window)" d="M19 38h8v11h-8zM32 38h8v11h-8zM19 58h8v11h-8zM32 58h8v11h-8zM54 48h8v11h-8zM71 48h8v11h-8z"/><path fill="var(--tat-door)" d="M58 68h14v18H58z"/>`,
    `${shadow("M16 88h76l-8-8H16z")}<path fill="var(--tat-wall)" d="M14 40h44v46H14z"/><path fill="var(--tat-wall-dark)" d="M58 40h28v46H58z"/><path fill="var(--tat-roof)" d="M10 42l12-22h46l-10 22z"/><path fill="var(--tat-roof-dark)" d="M58 42l10-22 22 22z"/><path fill="var(--tat-window)" d="M22 50h9v13h-9zM40 50h9v13h-9zM66 52h9v12h-9z"/><path fill="var(--tat-door)" d="M40 70h10v16H40z"/>`,
  ],
};

/** Grass is not quite the same everywhere. */
export function tuft(square: number): string {
  const which = (square * 5 + Math.floor(square / 7) * 3) % 4;
  return `M${[24, 62, 36, 70][which]} ${[70, 34, 30, 74][which]}l4-11 3 9 5-8 2 10z`;
}

export const WORKSHOP = `<path d="M4 60V24L26 6v18L48 6v18L70 6v18L96 6v54H82V42H18v18z" fill="var(--tat-iron)"/><path d="M26 6v18H4zM48 6v18H26zM70 6v18H48zM96 6v18H70z" fill="var(--tat-glass)"/><path d="M18 38h64v6H18z" fill="var(--tat-enamel)"/><circle cx="50" cy="31" r="10" fill="#fff"/><path d="M45 36l7-7a4 4 0 0 1 4-5l-2 3 2 2 3-2a4 4 0 0 1-5 4l-7 7z" fill="#10263f"/>`;

export const STATION = `<path d="M0 100V52h34v14h14v34z" fill="var(--tat-wall)"/><path d="M34 66h14v34H34z" fill="var(--tat-wall-dark)"/><path d="M0 54l5-9h26l6 9zM34 68l3-7h10l4 7z" fill="var(--tat-enamel)"/><path d="M6 100V84a5 5 0 0 1 10 0v16zM21 100V84a5 5 0 0 1 10 0v16zM37 100V86a4 4 0 0 1 8 0v14z" fill="var(--tat-door)"/><circle cx="17" cy="65" r="8" fill="#10263f"/><circle cx="17" cy="65" r="6" fill="var(--tat-dial)"/><path d="M17 61v4h3" stroke="#10263f" stroke-width="1.6" fill="none"/>`;

const at = (x: number, y: number, size: number, drawn: string) =>
  `<g transform="translate(${x} ${y}) scale(${size})">${drawn}</g>`;
const CYPRESS = `<path fill="var(--tat-leaf)" d="M0-90c17 26 18 60 0 90-18-30-17-64 0-90z"/><path fill="var(--tat-leaf-dark)" d="M0-90c17 26 18 60 0 90z"/>`;
const BOULDER = `<path fill="var(--tat-rock)" d="M-44 40l16-52L0-34l34 30 12 44z"/><path fill="var(--tat-rock-light)" d="M-44 40l16-52L0-34l-6 32-16 42z"/><path fill="var(--tat-rock-dark)" d="M-6-2l24-8 12 50h-52z"/>`;
const WALL = `<path stroke="var(--tat-wall)" stroke-width="7" stroke-dasharray="16 5 9 4" opacity=".6" fill="none" d="M-150 40L150-24M-120 76L60 40"/>`;
const HUT = `<path fill="var(--tat-wall)" d="M-26-34h34V0h-34z"/><path fill="var(--tat-wall-dark)" d="M8-34h20V0H8z"/><path fill="var(--tat-roof)" d="M-30-32l10-18H16L8-32z"/><path fill="var(--tat-roof-dark)" d="M8-32l8-18 16 18z"/><path fill="var(--tat-window)" d="M-18-24h8v10h-8zM-4-24h7v10h-7z"/>`;

/** Beyond the edges of the board, around a point on the ground. */
const LANDMARKS: Record<string, string> = {
  castle: `<path d="M-120 32l60-22L60 20l70 26-20 16h-230z" fill="var(--tat-rock)"/><path d="M-60 10L60 20l70 26-20 8-90-20z" fill="var(--tat-rock-mid)"/><path d="M-50-30H50v52H-50zM4-76h26v98H4z" fill="var(--tat-wall)"/><path d="M50-16h34v38H50zM17-76h13v98H17z" fill="var(--tat-wall-dark)"/><path d="M2-76v-12h6v6h6v-6h6v6h6v-6h6v12zM-52-30v-10h6v5h6v-5h6v5h6v-5h6v5h6v-5h6v5h6v-5h8v10zM48-16v-9h6v4h6v-4h6v4h6v-4h6v4h6v5z" fill="var(--tat-wall)"/><path d="M-40-16h8v12h-8zM-22-16h8v12h-8zM34-16h8v12h-8zM12-60h8v12h-8z" fill="var(--tat-window)"/>`,
  sail: `<path fill="var(--tat-sail)" d="M0 0v-70L40 0zM-6 0v-56L-32 0z"/><path d="M-38 6h86L38 20h-64z" fill="var(--tat-iron)"/>`,
  lighthouse: `<path d="M14-230L-360-385v230z" fill="var(--tat-beam)"/><path d="M-52 20H52L42-20h-84z" fill="var(--tat-stone-dark)"/><path d="M-30-20l12-182h36L30-20z" fill="var(--tat-wall)"/><path d="M0-202h18L30-20H0z" fill="var(--tat-wall-dark)"/><path d="M-26-202h52v-12h-52z" fill="var(--tat-rock)"/><path d="M-14-214v-28h28v28z" fill="var(--tat-lamp)"/><path d="M-20-242L0-268l20 26z" fill="var(--tat-enamel)"/><path d="M0-268v-26M-8-286l8-8 8 8" stroke="var(--tat-enamel)" stroke-width="5" fill="none"/>`,
  obelisk: `<path d="M-34 20h68l-6-24h-56z" fill="var(--tat-rock)"/><path d="M-18-4l7-166L0-190l11 20L18-4z" fill="var(--tat-wall)"/><path d="M0-190l11 20L18-4H0z" fill="var(--tat-wall-dark)"/>`,
  cypress: at(-20, 10, 1.3, CYPRESS) + at(22, 30, 0.9, CYPRESS),
  wall: WALL,
  rocks: at(-50, 0, 1, BOULDER) + at(26, 18, 0.65, BOULDER),
};

interface Scenery {
  bands: readonly { land: string; rows: readonly [number, number] }[];
  landmarks: readonly { picture: string; side: "W" | "E"; row: number }[];
}

const rowAt = (row: number) => (14 - row) * 100 + 60;
/** What grows between the landmarks, by the land. */
const GROWS: Record<string, readonly string[]> = {
  city: [HUT, CYPRESS],
  woods: [CYPRESS, CYPRESS, CYPRESS],
  karst: [BOULDER, CYPRESS],
};

/** Beside the board: the landmarks, and between them what grows there. */
export function scenery({ bands, landmarks }: Scenery): string {
  const drawn: { y: number; svg: string }[] = [];
  for (const { picture, side, row } of landmarks) {
    const x = side === "W" ? (picture === "sail" ? -90 : -215) : 890;
    const y = row === 1 ? 1452 : rowAt(row);
    drawn.push({
      y,
      svg: at(x, y, picture === "sail" && side === "E" ? 0.8 : 1, LANDMARKS[picture] ?? ""),
    });
  }
  const free = (side: string, row: number) =>
    !landmarks.some(
      (one) =>
        one.side === side && Math.abs(one.row - row) < (one.picture === "lighthouse" ? 3 : 1.5),
    );
  for (const { land, rows } of bands)
    for (let row = rows[0]; row <= rows[1]; row += 1)
      for (const side of ["W", "E"]) {
        const grows = GROWS[land];
        if (!grows || row < 2 || !free(side, row)) continue;
        const shift = (row * 37) % 90;
        grows.forEach((svg, i) => {
          const away = 90 + shift + i * (110 + ((row * 13) % 40));
          const x = side === "W" ? -away : 700 + away;
          const y = rowAt(row) + ((row * 29 + i * 41) % 60) - 20;
          drawn.push({ y, svg: at(x, y, 0.7 + ((row + i) % 3) * 0.18, svg) });
        });
      }
  // What is nearer stands before what is further up.
  return drawn
    .sort((a, b) => a.y - b.y)
    .map((one) => one.svg)
    .join("");
}

export const FOAM = "M-300 1440h70M-220 1478h110M760 1490h90M900 1510h70M620 1500h60M80 1486h90";
