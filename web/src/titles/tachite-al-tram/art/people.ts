/* The twelve passengers. What they share with others of their colour is also the shape of their token and
   its pattern: nobody is told by colour alone. Flat shapes, one light from the left: every face has a
   darker right half. 64 × 64. */

export type Colour = "mar" | "bosco" | "terran" | "sol";

export const KINDS = [
  "vecion",
  "lole",
  "lem",
  "nagana",
  "mocoloso",
  "squinzia",
  "panzon",
  "cotoler",
  "marantiga",
  "spuzolente",
  "ciacoleta",
  "petesson",
] as const;

/** The outline of a token. */
export const TOKEN: Record<Colour, string> = {
  mar: "M32 2a30 30 0 1 0 0 60a30 30 0 1 0 0-60z",
  bosco: "M8 4h48a4 4 0 0 1 4 4v48a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z",
  terran: "M5 3h54v29c0 17-12 26-27 31C17 58 5 49 5 32z",
  sol: "M32.0 0.5L38.0 5.7L45.7 3.6L48.8 10.9L56.6 12.4L56.3 20.3L62.7 25.0L59.0 32.0L62.7 39.0L56.3 43.7L56.6 51.6L48.8 53.1L45.7 60.4L38.0 58.3L32.0 63.5L26.0 58.3L18.3 60.4L15.2 53.1L7.4 51.6L7.7 43.7L1.3 39.0L5.0 32.0L1.3 25.0L7.7 20.3L7.4 12.4L15.2 10.9L18.3 3.6L26.0 5.7z",
};

export const FILL: Record<Colour, string> = {
  mar: "#2f7fb8",
  bosco: "#3e8061",
  terran: "#a2334a",
  sol: "#efb12f",
};
export const SHADE: Record<Colour, string> = {
  mar: "#1f5f93",
  bosco: "#2b6149",
  terran: "#7d2237",
  sol: "#d08f12",
};

const count = (many: number, draw: (i: number) => string) =>
  Array.from({ length: many }, (_, i) => draw(i)).join("");
const ray = (angle: number) =>
  `${(32 + 40 * Math.cos(angle)).toFixed(1)} ${(32 + 40 * Math.sin(angle)).toFixed(1)}`;

export const PATTERN: Record<Colour, string> = {
  mar: count(
    6,
    (i) =>
      `<path d="M0 ${10 + i * 10}q4-5 8 0t8 0t8 0t8 0t8 0t8 0t8 0t8 0" fill="none" stroke-width="2.2"/>`,
  ),
  bosco: count(
    42,
    (i) =>
      `<circle cx="${6 + (i % 6) * 10.4 + (Math.floor(i / 6) % 2) * 5}" cy="${7 + Math.floor(i / 6) * 9}" r="1.9" stroke="none"/>`,
  ),
  terran: count(9, (i) => `<path d="M${i * 12 - 40} 64L${i * 12 + 24} 0" stroke-width="4"/>`),
  sol: count(
    14,
    (i) =>
      `<path d="M32 32L${ray((i * Math.PI) / 7)}L${ray(((i + 0.5) * Math.PI) / 7)}z" stroke="none"/>`,
  ),
};

/** The busts, over the pattern. */
export const BUST: Record<string, string> = {
  vecion:
    '<path d="M8 66c0-13 10-19 24-19s24 6 24 19z" fill="#55606e"/><path d="M32 47c14 0 24 6 24 19H32z" fill="#414b58"/><path d="M26 44h12v8l-6 4-6-4z" fill="#dfae82"/><ellipse cx="32" cy="32" rx="12.5" ry="15" fill="#f3cda6"/><path d="M32 17a12.5 15 0 0 1 0 30z" fill="#dfae82"/><circle cx="19" cy="33" r="3.4" fill="#f3cda6"/><circle cx="45" cy="33" r="3.4" fill="#dfae82"/><path d="M14 24c0-9 8-14 18-14s17 5 19 12l-4 3H16z" fill="#26394f"/><path d="M12 25c6-4 16-4 24-1l-2 4c-7-2-15-2-20 0z" fill="#16273a"/><path d="M23 29l7-1M41 29l-7-1" stroke="#fff" stroke-width="3" stroke-linecap="round"/><circle cx="27" cy="32.5" r="1.7" fill="#1b2533"/><circle cx="37" cy="32.5" r="1.7" fill="#1b2533"/><path d="M32 34l3 5h-6z" fill="#d99573"/><path d="M32 40c-4-2-11-1-13 5 5 1 10 0 13-2 3 2 8 3 13 2-2-6-9-7-13-5z" fill="#fff"/>',
  lole: '<path d="M8 66c0-13 10-19 24-19s24 6 24 19z" fill="#f0e2c6"/><path d="M32 47c14 0 24 6 24 19H32z" fill="#d8c6a2"/><path d="M27 44h10v7l-5 3-5-3z" fill="#dfae82"/><circle cx="17" cy="33" r="5" fill="#f3cda6"/><circle cx="47" cy="33" r="5" fill="#dfae82"/><ellipse cx="32" cy="32" rx="14" ry="15" fill="#f3cda6"/><path d="M32 17a14 15 0 0 1 0 30z" fill="#dfae82"/><path d="M16 30c-1-12 6-19 16-19s17 7 16 19c-4-3-8-4-16-4s-12 1-16 4z" fill="#5b3a24"/><path d="M32 11c10 0 17 7 16 19-4-3-8-4-16-4z" fill="#482c1a"/><circle cx="26" cy="31" r="4" fill="#fff"/><circle cx="38" cy="31" r="4" fill="#fff"/><circle cx="27.6" cy="31" r="1.6" fill="#1b2533"/><circle cx="36.4" cy="31" r="1.6" fill="#1b2533"/><ellipse cx="32" cy="41" rx="5" ry="3.6" fill="#5c1c22"/><path d="M28.5 42.5c2-1.5 5-1.5 7 0c-1 2.3-6 2.3-7 0z" fill="#e8848a"/>',
  lem: '<path d="M14 66c0-7 8-11 18-11s18 4 18 11z" fill="#f2ede2"/><path d="M32 55c10 0 18 4 18 11H32z" fill="#d8d0bf"/><path d="M28 38h8v20l-4 3-4-3z" fill="#dfae82"/><path d="M28 38h4v23l-4-3z" fill="#f3cda6"/><ellipse cx="32" cy="25" rx="9" ry="17" fill="#f3cda6"/><path d="M32 8a9 17 0 0 1 0 34z" fill="#dfae82"/><path d="M23 18c0-9 4-13 9-13s9 4 9 13c-3-3-6-4-9-4s-6 1-9 4z" fill="#d9a441"/><path d="M30 6c2-4 5-4 7-2-1 1-2 2-3 3z" fill="#d9a441"/><circle cx="28.5" cy="24" r="1.6" fill="#1b2533"/><circle cx="35.5" cy="24" r="1.6" fill="#1b2533"/><path d="M32 24l1.8 7h-3z" fill="#d99573"/><path d="M27 35q5 4 10 0" stroke="#7c3b2c" stroke-width="2" fill="none" stroke-linecap="round"/><rect x="30" y="35.6" width="3.5" height="3" fill="#fff"/><path d="M26 60l6-3 6 3-6 3z" fill="#c8443c"/>',
  nagana:
    '<path d="M8 66c0-13 10-19 24-19s24 6 24 19z" fill="#d78aa0"/><path d="M32 47c14 0 24 6 24 19H32z" fill="#bd6c84"/><path d="M27 44h10v7l-5 3-5-3z" fill="#c19468"/><ellipse cx="32" cy="33" rx="13" ry="14" fill="#dcb487"/><path d="M32 19a13 14 0 0 1 0 28z" fill="#c19468"/><path d="M17 34c-2-14 6-21 15-21s17 7 15 21c-3-6-6-9-15-9s-12 3-15 9z" fill="#7a3f2a"/><g fill="#f5e7b8" stroke="#b9892c" stroke-width="1.4"><rect x="18" y="10" width="10" height="7" rx="3.5" transform="rotate(-18 23 13)"/><rect x="28" y="6" width="10" height="7" rx="3.5"/><rect x="38" y="10" width="10" height="7" rx="3.5" transform="rotate(22 43 13)"/></g><path d="M24 31h6M34 31h6" stroke="#1b2533" stroke-width="2" stroke-linecap="round"/><path d="M24 34.5h6M34 34.5h6" stroke="#a9774b" stroke-width="1.6"/><path d="M27 42q5-3 10 0" stroke="#8d2f3c" stroke-width="2.4" fill="none" stroke-linecap="round"/><path d="M36 41.5l9 3" stroke="#fff" stroke-width="2.2"/><circle cx="45.5" cy="44.7" r="1.5" fill="#f0642f"/>',
  mocoloso:
    '<path d="M12 66c0-13 10-19 20-19s20 6 20 19z" fill="#c8443c"/><path d="M32 47c10 0 20 6 20 19H32z" fill="#a5312b"/><ellipse cx="32" cy="36" rx="14" ry="13.5" fill="#f8e2cb"/><path d="M32 22.5a14 13.5 0 0 1 0 27z" fill="#e2c4a6"/><path d="M17 31c0-11 7-17 15-17s15 6 15 17c-9-3-21-3-30 0z" fill="#e9edf0"/><path d="M32 14c8 0 15 6 15 17-4-1.5-9-2.2-15-2.2z" fill="#c4ced6"/><path d="M16 32c9-4 23-4 32 0v-4c-9-4-23-4-32 0z" fill="#2f7fb8"/><circle cx="32" cy="11" r="5" fill="#2f7fb8"/><circle cx="26.5" cy="36" r="1.9" fill="#1b2533"/><circle cx="37.5" cy="36" r="1.9" fill="#1b2533"/><circle cx="24" cy="41" r="2.8" fill="#f0a59a"/><circle cx="40" cy="41" r="2.8" fill="#e08f86"/><path d="M30 39h4c1 2 1 6-.5 8.5-1 1.5-2.3 1-2.5-.500z" fill="#9fd04f"/><path d="M27 46.5q2 1.6 4 1" stroke="#7c3b2c" stroke-width="1.8" fill="none" stroke-linecap="round"/>',
  squinzia:
    '<path d="M8 66c0-13 10-19 24-19s24 6 24 19z" fill="#f4efe4"/><path d="M32 47c14 0 24 6 24 19H32z" fill="#d9d1c0"/><path d="M15 46c-4-18 2-35 17-35s21 17 17 35l-8 3V30H23v19z" fill="#1c1c22"/><path d="M28 42h8v9l-4 3-4-3z" fill="#e2c4a6"/><ellipse cx="32" cy="31" rx="11" ry="14" fill="#f8e2cb"/><path d="M32 17a11 14 0 0 1 0 28z" fill="#e2c4a6"/><path d="M20 27c2-10 7-13 12-13s10 3 12 13c-6-4-10-6-14-9-2 4-5 7-10 9z" fill="#1c1c22"/><rect x="20.5" y="27" width="10.5" height="7" rx="3.5" fill="#c8443c"/><rect x="33" y="27" width="10.5" height="7" rx="3.5" fill="#c8443c"/><path d="M31 29.5h2" stroke="#c8443c" stroke-width="2"/><path d="M23 29l4 3.5M36 29l4 3.5" stroke="#ee8d82" stroke-width="1.6"/><path d="M29.5 39.5l2.5-1.2 2.5 1.2-2.5 2z" fill="#c8243c"/><path d="M22 50q10 8 20 0v5q-10 7-20 0z" fill="#f0642f"/>',
  panzon:
    '<path d="M2 66c0-18 12-26 30-26s30 8 30 26z" fill="#33506b"/><path d="M32 40c18 0 30 8 30 26H32z" fill="#253d54"/><path d="M22 41l10 25 10-25c-6-2-14-2-20 0z" fill="#fff"/><circle cx="32" cy="52" r="1.5" fill="#253d54"/><circle cx="32" cy="59" r="1.5" fill="#253d54"/><ellipse cx="32" cy="29" rx="12.5" ry="12.5" fill="#efb693"/><path d="M32 16.5a12.5 12.5 0 0 1 0 25z" fill="#d99573"/><path d="M23 37c3 6 15 6 18 0 1 7-3 10-9 10s-10-3-9-10z" fill="#d99573"/><path d="M21 24c2-7 6-9 11-9s9 2 11 9c-3-3-7-4-11-4s-8 1-11 4z" fill="#4a2f1d"/><circle cx="27.5" cy="28" r="1.7" fill="#1b2533"/><circle cx="36.5" cy="28" r="1.7" fill="#1b2533"/><circle cx="24.5" cy="32.5" r="2.6" fill="#e98a77"/><circle cx="39.5" cy="32.5" r="2.6" fill="#d27460"/><path d="M32 33c-3-1-8 0-9 3 3 1 7 1 9-.5 2 1.5 6 1.5 9 .5-1-3-6-4-9-3z" fill="#4a2f1d"/>',
  cotoler:
    '<path d="M8 66c0-13 10-19 24-19s24 6 24 19z" fill="#1d2735"/><path d="M32 47c14 0 24 6 24 19H32z" fill="#121a25"/><path d="M25 48l7 14 7-14-7 3z" fill="#fff"/><path d="M28 52l4 2 4-2v5l-4-2-4 2z" fill="#f0642f"/><ellipse cx="32" cy="31" rx="11.5" ry="15" fill="#dcb487"/><path d="M32 16a11.5 15 0 0 1 0 30z" fill="#c19468"/><path d="M19 30c-1-13 5-20 14-20 8 0 13 6 12 18-3-5-5-8-14-9-5 0-9 4-12 11z" fill="#11151c"/><path d="M22 17c5-4 12-5 18-1" stroke="#48566a" stroke-width="1.8" fill="none"/><circle cx="27" cy="30" r="1.8" fill="#1b2533"/><path d="M34 30.5q3-2 6 0" stroke="#1b2533" stroke-width="2.2" fill="none" stroke-linecap="round"/><path d="M23.5 26l6-.500M34 25l6-1.5" stroke="#11151c" stroke-width="1.9" stroke-linecap="round"/><path d="M26 38q3-2.5 6-.8 3-1.7 6 .8" stroke="#11151c" stroke-width="1.8" fill="none"/><path d="M27 41q6 3.5 10-.5" stroke="#8d2f3c" stroke-width="2" fill="none" stroke-linecap="round"/><path d="M37 41l9-5" stroke="#3e8061" stroke-width="1.7"/><circle cx="47" cy="35" r="3.4" fill="#e5344c"/>',
  marantiga:
    '<path d="M8 66c0-13 10-19 24-19s24 6 24 19z" fill="#4b3a5e"/><path d="M32 47c14 0 24 6 24 19H32z" fill="#38294a"/><ellipse cx="31" cy="33" rx="12" ry="14" fill="#dcb487"/><path d="M31 19a12 14 0 0 1 0 28z" fill="#c19468"/><path d="M15 50C9 28 17 9 32 9s23 19 17 41c-2-3-4-6-4-12 0-10-5-16-13-16s-13 6-13 16c0 6-2 9-4 12z" fill="#c8443c"/><path d="M32 9c15 0 23 19 17 41-2-3-4-6-4-12 0-10-5-16-13-16z" fill="#a5312b"/><g fill="#f4dfae"><circle cx="22" cy="18" r="1.5"/><circle cx="32" cy="14" r="1.5"/><circle cx="42" cy="18" r="1.5"/><circle cx="17" cy="29" r="1.5"/><circle cx="47" cy="29" r="1.5"/></g><path d="M23 29l6 2M40 28l-6 3" stroke="#6b675f" stroke-width="2.2" stroke-linecap="round"/><circle cx="26.5" cy="33" r="1.6" fill="#1b2533"/><circle cx="37" cy="33" r="1.6" fill="#1b2533"/><path d="M31 32c3 4 6 8 4 10-2 1-4 0-5-1z" fill="#b98456"/><circle cx="35.5" cy="39" r="1.1" fill="#6b4a2d"/><path d="M25 44q5-2 9 1" stroke="#5c1c22" stroke-width="2" fill="none" stroke-linecap="round"/><path d="M24 50l8 5 8-5-3 9h-10z" fill="#a5312b"/>',
  spuzolente:
    '<path d="M8 66c0-13 10-19 24-19s24 6 24 19z" fill="#7d7a45"/><path d="M32 47c14 0 24 6 24 19H32z" fill="#636033"/><ellipse cx="32" cy="33" rx="12.5" ry="14.5" fill="#dcb487"/><path d="M32 18.5a12.5 14.5 0 0 1 0 29z" fill="#c19468"/><path d="M19.7 36c0 7 5 12 12.3 12s12.3-5 12.3-12c-3 2-5 3-12.3 3s-9.3-1-12.3-3z" fill="#8a745a"/><path d="M18 30c-3-4 0-8 3-8-1-4 4-6 6-5 2-4 8-3 9-1 4-2 8 1 7 5 4 0 5 6 3 9-3-3-8-5-14-5s-11 2-14 5z" fill="#2f2a22"/><circle cx="27" cy="32" r="1.7" fill="#1b2533"/><circle cx="37" cy="32" r="1.7" fill="#1b2533"/><path d="M27 42h10" stroke="#3b2a20" stroke-width="2.2" stroke-linecap="round"/><path d="M32 33l2 4.5h-4z" fill="#c19468"/><g stroke="#5f7d1f" stroke-width="2.2" fill="none" stroke-linecap="round"><path d="M10 40q-4-4 0-8t0-8"/><path d="M54 42q4-4 0-8t0-8"/></g><g><circle cx="51" cy="17" r="1.8" fill="#1b2533"/><path d="M50 15.5l-3-2M52 15.5l3-2" stroke="#1b2533" stroke-width="1.2"/></g>',
  ciacoleta:
    '<path d="M8 66c0-13 10-19 24-19s24 6 24 19z" fill="#7a2e6b"/><path d="M32 47c14 0 24 6 24 19H32z" fill="#5e2053"/><g fill="#b4532a"><circle cx="20" cy="22" r="8"/><circle cx="32" cy="16" r="9"/><circle cx="44" cy="22" r="8"/><circle cx="17" cy="34" r="7"/><circle cx="47" cy="34" r="7"/></g><path d="M28 44h8v7l-4 3-4-3z" fill="#dfae82"/><ellipse cx="32" cy="32" rx="12" ry="14" fill="#f3cda6"/><path d="M32 18a12 14 0 0 1 0 28z" fill="#dfae82"/><path d="M20 28c2-7 7-10 12-10s10 3 12 10c-7-4-17-4-24 0z" fill="#b4532a"/><circle cx="27" cy="30" r="1.7" fill="#1b2533"/><circle cx="37" cy="30" r="1.7" fill="#1b2533"/><path d="M24 26.5q3-2 5 0M35 26.5q3-2 5 0" stroke="#7b3316" stroke-width="1.6" fill="none"/><path d="M26 36h12c0 6-3 8-6 8s-6-2-6-8z" fill="#6b1420"/><path d="M27 36h10v2H27z" fill="#fff"/><circle cx="19.5" cy="41" r="2" fill="#fff"/><circle cx="44.5" cy="41" r="2" fill="#fff"/><path d="M49 44h10v8h-5l-3 3v-3h-2z" fill="#fff"/><path d="M51 47h6M51 49.6h4" stroke="#5e2053" stroke-width="1.3"/>',
  petesson:
    '<path d="M8 66c0-13 10-19 24-19s24 6 24 19z" fill="#35586f"/><path d="M32 47c14 0 24 6 24 19H32z" fill="#264457"/><path d="M27 44h10v7l-5 3-5-3z" fill="#d99573"/><ellipse cx="32" cy="33" rx="12.5" ry="14" fill="#efb693"/><path d="M32 19a12.5 14 0 0 1 0 28z" fill="#d99573"/><g transform="rotate(-12 32 18)"><path d="M20 22c0-10 4-14 12-14s12 4 12 14z" fill="#3b2c22"/><path d="M20 18h24v4H20z" fill="#efb12f"/><rect x="13" y="21" width="38" height="4" rx="2" fill="#2a1e16"/></g><path d="M24 31.5q3-2.5 6 0M34.5 31.5q3-2.5 6 0" stroke="#1b2533" stroke-width="2" fill="none" stroke-linecap="round"/><circle cx="32" cy="37" r="4.6" fill="#e5443c"/><circle cx="30.7" cy="35.6" r="1.3" fill="#ffb4a4"/><path d="M27 43.5q4 3 10 0" stroke="#7c2b2c" stroke-width="2" fill="none" stroke-linecap="round"/><path d="M45 40h8l-1 8c0 2-1 3-3 3s-3-1-3-3z" fill="#fff" opacity=".92"/><path d="M45.5 44h7l-.5 4c0 2-1 3-3 3s-3-1-3-3z" fill="#7d1230"/><path d="M49 51v7M46 59h6" stroke="#fff" stroke-width="1.8"/>',
};
