import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const WEB = join(import.meta.dirname, "../..");
let clone = "";

const asked = (cwd: string) =>
  spawnSync(process.execPath, [join(WEB, "needs.js")], { cwd, encoding: "utf-8" });

function put(file: string, text: string): void {
  const path = join(clone, file);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "needs-"));
  mkdirSync(join(clone, "web"));
});
afterEach(() => rmSync(clone, { recursive: true }));

it("a fresh clone says in one sentence what it needs before it can be built", () => {
  const fresh = asked(join(clone, "web"));
  expect(fresh.status).toBe(1);
  expect(fresh.stderr).toMatch(/^[^\n]*run \.\/test --only web once\.\n$/);
  expect(asked(WEB).status).toBe(0);
});

it("what was made before a word or a lesson was written is to be made again", () => {
  put("web/src/generated/protocol.ts", "");
  put("web/src/generated/words.ts", '  "nm.old": Record<string, never>;\n');
  put("web/src/titles/night-mail/words/en.json", '{"nm.old": "Old", "nm.new": "New"}');
  put("src/capolinea/games/night_mail/tutorial/coast.json", "{}");
  const make = (tool: string) => new RegExp(`^[^\n]*run python tools/${tool}\\.py\\.\n$`);

  const word = asked(join(clone, "web"));
  expect([word.status, word.stderr]).toEqual([1, expect.stringMatching(make("webtypes"))]);
  expect(word.stderr).toContain("nm.new");

  put("web/src/generated/words.ts", '  "nm.old": string;\n  "nm.new": string;\n');
  const lesson = asked(join(clone, "web"));
  expect([lesson.status, lesson.stderr]).toEqual([1, expect.stringMatching(make("tutorials"))]);

  put("web/src/generated/tutorial-night-mail.json", "{}");
  expect(asked(join(clone, "web")).status).toBe(0);
});
