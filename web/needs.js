/* Types, words and lessons are made from the Python sources. Without them nothing here can be built; where they
   are older, errors speak of something else ("Expected 2 arguments, but got 1" at a word that is new). */

import { existsSync, readdirSync, readFileSync } from "node:fs";

const GENERATED = "src/generated";
const GAMES = "../src/capolinea/games";

function lacking() {
  if (!existsSync(`${GENERATED}/protocol.ts`))
    return "src/generated is made from the Python sources: run ./test --only web once.";
  const types = readFileSync(`${GENERATED}/words.ts`, "utf-8");
  const titles = readdirSync("src/titles").map((title) => `src/titles/${title}/words/en.json`);
  for (const file of ["src/words/en.json", ...titles].filter((one) => existsSync(one)))
    for (const key of Object.keys(JSON.parse(readFileSync(file, "utf-8"))))
      if (!types.includes(`  ${JSON.stringify(key)}: `))
        return `src/generated does not have ${key} of ${file} yet: run python tools/webtypes.py.`;
  for (const game of readdirSync(GAMES)) {
    const lesson = `tutorial-${game.replaceAll("_", "-")}.json`;
    if (existsSync(`${GAMES}/${game}/tutorial`) && !existsSync(`${GENERATED}/${lesson}`))
      return `src/generated has no ${lesson} yet: run python tools/tutorials.py.`;
  }
  return "";
}

const sentence = lacking();
if (sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
