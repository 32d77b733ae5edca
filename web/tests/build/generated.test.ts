import type { PluginContext } from "rolldown";
import { expect, it } from "vitest";
import { generated } from "../../generated";

const start = (folder?: string) => {
  const plugin = generated(folder) as unknown as { buildStart(this: Partial<PluginContext>): void };
  plugin.buildStart.call({
    error(told) {
      throw new Error(String(told));
    },
  });
};

it("a fresh clone says what it needs before it can be built", () => {
  expect(() => start("/nowhere")).toThrow("run ./test --only web once");
  expect(start).not.toThrow();
});
