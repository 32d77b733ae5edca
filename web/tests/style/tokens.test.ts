/* Styles speak in tokens: what stands in tokens.css is used, and what the screens use stands there. Boards
   have drawings of their own, with their own sizes and colours. */

import { expect, it } from "vitest";

const sources = import.meta.glob<string>("../../src/**/*.{svelte,css,ts}", {
  query: "?raw",
  import: "default",
  eager: true,
});
const TOKENS = "../../src/tokens.css";

/** Path → style sheet, of what all titles share. */
const styles = Object.entries(sources).flatMap(([path, text]): [string, string][] => {
  if (/\/(generated|titles)\//.test(path) || path === TOKENS) return [];
  const sheets = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map((found) => found[1]);
  return sheets.length ? [[path.replace("../../src/", ""), sheets.join("\n")]] : [];
});

function found(pattern: RegExp): string[] {
  return styles.flatMap(([path, sheet]) =>
    [...sheet.matchAll(pattern)].map((one) => `${path}: ${one[0].trim()}`),
  );
}

it("there are styles to look at", () => {
  expect(styles.length).toBeGreaterThan(50);
});

it("every token is used", () => {
  const text = Object.values(sources).join("\n");
  const named = [...sources[TOKENS]!.matchAll(/^\s*(--[\w-]+):/gm)].map((one) => one[1]!);
  // A player's colour is asked for by number.
  const unused = named.filter(
    (name) => !text.includes(`var(${name.replace(/^(--player-)\d+$/, "$1")}`),
  );
  expect([...new Set(unused)]).toEqual([]);
});

it("spacing comes from tokens; a hair's breadth may be said in pixels", () => {
  const spacing =
    /^\s*(?:(?:margin|padding)[\w-]*|(?:row-|column-)?gap):[^;]*?\b(?!1px|640px)\d+px[^;]*;/gm;
  expect(found(spacing)).toEqual([]);
});

it("what a finger may hit is as large as the token says", () => {
  expect(found(/\b(?:min-)?(?:height|width): 44px/g)).toEqual([]);
});

it("colours come from tokens", () => {
  expect(found(/#[0-9a-f]{3,8}\b(?![^{}]*\{)/gi)).toEqual([]);
});

it("no more styles reach into another component than did", () => {
  expect(found(/:global/g).length).toBeLessThanOrEqual(21);
});
