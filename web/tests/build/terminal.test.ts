/* Pages do without the words of the terminal: then nothing that a page says may be among them. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isForTerminal } from "../../words";

const PACKAGE = join(import.meta.dirname, "../../../src/capolinea");
const PAGES = join(import.meta.dirname, "../../src");
/** Settings are options of the command line; and a server without pages says so on one of its own. */
const TERMINALS = [/\/server\/(settings|pages)\.py$/, /\/capolinea\/(cli|lab)\//, /\/generated\//];

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf-8" })
    .filter((path) => /\.(py|ts|svelte)$/.test(path))
    .map((path) => join(folder, path))
    .filter((path) => TERMINALS.every((one) => !one.test(path)));
}

it("the server, the rules and the pages name no word that pages go without", () => {
  const file = readFileSync(join(PACKAGE, "words/en.json"), "utf-8");
  const without = Object.keys(JSON.parse(file) as object).filter(isForTerminal);
  expect(without.length).toBeGreaterThan(100);
  const named = [...sources(PACKAGE), ...sources(PAGES)].flatMap((path) => {
    const text = readFileSync(path, "utf-8");
    return without.filter((key) => text.includes(`"${key}"`)).map((key) => `${path}: ${key}`);
  });
  expect(named).toEqual([]);
});
