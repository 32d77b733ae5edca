import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const WEB = join(import.meta.dirname, "../..");

it("a fresh clone says in one sentence what it needs before it can be built", () => {
  const asked = (cwd: string) =>
    spawnSync(process.execPath, [join(WEB, "needs.js")], { cwd, encoding: "utf-8" });
  const fresh = asked(tmpdir());
  expect(fresh.status).toBe(1);
  expect(fresh.stderr).toMatch(/^[^\n]*run \.\/test --only web once\.\n$/);
  expect(asked(WEB).status).toBe(0);
});
