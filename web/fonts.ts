/* The faces that the pages are set in, cut from their npm packages when the pages are built.

   Each is cut in three. The first part has the letters that English, Italian and German need and is all
   that most people ever load; what else the package has (names of players and places, other languages)
   comes when a letter of it is on the page. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import subset, { type Options } from "subset-font";
import type { HtmlTagDescriptor, Plugin } from "vite";

/** What is in each file of a package. */
type Ranges = Record<"latin" | "latin-ext", string>;

interface Family {
  name: string;
  from: string;
  weights: readonly number[];
  letters: string;
}

const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÀÈÉÌÒÙÄÖÜß";
const SIGNS = " !\"%&'()+,-./0123456789:;?«»·×–—‘’‚“”„…−\u00a0";
const BOTH_CASES = CAPITALS + CAPITALS.toLowerCase() + SIGNS;

export const FAMILIES: readonly Family[] = [
  { name: "Barlow", from: "barlow", weights: [400, 500, 600], letters: BOTH_CASES },
  {
    name: "Barlow Condensed",
    from: "barlow-condensed",
    weights: [500, 600, 700],
    letters: BOTH_CASES,
  },
  // What is set in these two is set in capitals.
  { name: "Josefin Sans", from: "josefin-sans", weights: [700], letters: CAPITALS + SIGNS },
  {
    name: "Big Shoulders Display",
    from: "big-shoulders-display",
    weights: [900],
    letters: CAPITALS + SIGNS,
  },
];

/** What every screen begins with: asked for together with the script. */
const FIRST = /\/(barlow-400|barlow-600|barlow-condensed-600)-letters-[^/]+\.woff2$/;

/** Of what a face can do, what the pages use. Small hints for coarse screens are half of its bytes. */
const KEPT: Options = {
  targetFormat: "woff2",
  noHinting: true,
  keepFeatures: ["kern", "liga", "tnum"],
};

const FOLDER = join(import.meta.dirname, "src", "generated", "fonts");

/** Writes `generated/fonts/<family>.css` with its faces, and has the first ones preloaded. */
export function fonts(): Plugin {
  return {
    name: "fonts",
    apply: (_config, { mode }) => mode !== "test",
    async buildStart() {
      await mkdir(FOLDER, { recursive: true });
      for (const family of FAMILIES)
        await writeFile(join(FOLDER, `${family.from}.css`), await sheet(family));
    },
    transformIndexHtml(_page, { bundle }): HtmlTagDescriptor[] {
      return Object.keys(bundle ?? {})
        .filter((file) => FIRST.test(`/${file}`))
        .map((file) => ({
          tag: "link",
          injectTo: "head",
          attrs: {
            rel: "preload",
            as: "font",
            type: "font/woff2",
            href: `/${file}`,
            crossorigin: "",
          },
        }));
    },
  };
}

/** The rules of a family, after its files were cut. */
async function sheet({ name, from, weights, letters }: Family): Promise<string> {
  const packed = dirname(
    createRequire(import.meta.url).resolve(`@fontsource/${from}/package.json`),
  );
  const has = JSON.parse(await readFile(join(packed, "unicode.json"), "utf-8")) as Ranges;
  // Where ranges overlap the last rule counts.
  const parts = [
    { part: "ext", file: "latin-ext", letters: listed(has["latin-ext"]), range: has["latin-ext"] },
    { part: "rest", file: "latin", letters: listed(has.latin, letters), range: has.latin },
    { part: "letters", file: "latin", letters, range: ranged(letters) },
  ];
  let rules = "";
  for (const weight of weights)
    for (const { part, file, letters, range } of parts) {
      const whole = await readFile(join(packed, "files", `${from}-${file}-${weight}-normal.woff2`));
      const cut = `${from}-${weight}-${part}.woff2`;
      await writeFile(join(FOLDER, cut), await subset(whole, letters, KEPT));
      rules += `@font-face {
  font-family: "${name}";
  font-weight: ${weight};
  font-display: swap;
  src: url("./${cut}") format("woff2");
  unicode-range: ${range};
}
`;
    }
  return rules;
}

/** As style sheets have it: "U+20-22,U+27". */
function ranged(letters: string): string {
  return [...letters].map((one) => `U+${one.codePointAt(0)!.toString(16)}`).join();
}

/** All letters of such a range, but for some. */
function listed(range: string, without = ""): string {
  return range
    .split(",")
    .flatMap((part) => {
      const [first, last = first] = part.slice(2).split("-") as [string, string?];
      const [from, to] = [parseInt(first, 16), parseInt(last, 16)];
      return Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n));
    })
    .filter((one) => !without.includes(one))
    .join("");
}
