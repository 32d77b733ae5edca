/* Styles speak in tokens: what stands in tokens.css is used, and what screens and boards use stands there. A
   title has colours of its own, in its palette; what is drawn has its own sizes. */

import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/* Read from the disk: as modules style sheets would be empty here. */
const FOLDER = "src";
const sources: Record<string, string> = Object.fromEntries(
  readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:svelte|css|ts)$/.test(path))
    .map((path) => [path.replaceAll("\\", "/"), readFileSync(`${FOLDER}/${path}`, "utf8")]),
);
const TOKENS = "tokens.css";
const PALETTE = /\/(?:palette|poster\/colours|plain)\.css$/;

const own = Object.entries(sources).filter(([path]) => !path.startsWith("generated/"));
const palettes = own.filter(([path]) => PALETTE.test(path));
/** Path → style sheet. */
const styles = own.flatMap(([path, text]): [string, string][] => {
  if (path === TOKENS || PALETTE.test(path)) return [];
  if (path.endsWith(".css")) return [[path, text]];
  const sheets = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map((found) => found[1]);
  return sheets.length ? [[path, sheets.join("\n")]] : [];
});

function found(pattern: RegExp): string[] {
  return styles.flatMap(([path, sheet]) =>
    [...sheet.matchAll(pattern)].map((one) => `${path}: ${one[0].trim()}`),
  );
}

/** The names of custom properties that are said here. */
function named(sheet: string): string[] {
  return [...sheet.matchAll(/^\s*(--[\w-]+):/gm)].map((one) => one[1]!);
}

const everything = Object.values(sources).join("\n");

it("there are styles to look at", () => {
  expect(styles.length).toBeGreaterThan(150);
  expect(palettes.length).toBeGreaterThan(5);
});

it("every token is used", () => {
  // A player's colour is asked for by number.
  const unused = [sources[TOKENS]!, ...palettes.map(([, sheet]) => sheet)]
    .flatMap(named)
    .filter((name) => !everything.includes(`var(${name.replace(/^(--player-)\d+$/, "$1")}`));
  expect([...new Set(unused)]).toEqual([]);
});

it("what a title's palette is asked for stands there", () => {
  const said = new Set(palettes.flatMap(([, sheet]) => named(sheet)));
  const asked = [...everything.matchAll(/var\((--(?:stt|tat|tbt)-[\w-]+)/g)].map((one) => one[1]!);
  expect([...new Set(asked)].filter((name) => !said.has(name))).toEqual([]);
});

it("a palette says properties, and reaches into nothing", () => {
  for (const [path, sheet] of palettes) {
    const rules = sheet
      .replaceAll(/\/\*.*?\*\//gs, "")
      .replaceAll(/@(?:import|media)[^;{]*[;{]/g, "");
    const selectors = [...rules.matchAll(/([^{};]+)\{/g)].flatMap((one) => one[1]!.split(","));
    for (const selector of selectors) {
      expect(selector.trim(), path).toMatch(/^(?::root|(?:\[data-contrast="more"\] )?\S+)$/);
    }
    const plain = [...rules.matchAll(/(?:^|[;{])\s*([a-z][\w-]*):\s[^{]*?;/g)].map((one) => one[1]);
    expect(plain, path).toEqual([]);
  }
});

it("spacing comes from tokens; a hair's breadth may be said in pixels", () => {
  const spacing =
    /^\s*(?:(?:margin|padding)[\w-]*|(?:row-|column-)?gap):[^;]*?\b(?!1px|640px)\d+px[^;]*;/gm;
  expect(found(spacing)).toEqual([]);
});

it("what a finger may hit is as large as the token says", () => {
  expect(found(/\b(?:min-)?(?:height|width): 44px/g)).toEqual([]);
});

it("colours come from tokens and palettes", () => {
  expect(found(/#[0-9a-f]{3,8}\b(?![^{}]*\{)/gi)).toEqual([]);
});

it("an ink that a title's drawings share has a name", () => {
  const seen = new Map<string, number>();
  for (const [path, text] of own) {
    const title = /^titles\/([^/]+)\/.*\.svelte$/.exec(path)?.[1];
    for (const [ink] of title ? text.matchAll(/"#[0-9a-f]{3,8}"/gi) : []) {
      const key = `${title} ${ink.toLowerCase()}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
  }
  expect([...seen].filter(([, count]) => count > 1)).toEqual([]);
});

it("no style reaches into another component", () => {
  expect(found(/:global/g)).toEqual([]);
});

it("a component is one idea, and not longer than one can hold in mind", () => {
  const long = own.filter(
    ([path, text]) => path.endsWith(".svelte") && text.split("\n").length > 320,
  );
  expect(long.map(([path]) => path)).toEqual([]);
});
