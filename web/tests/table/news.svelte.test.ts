/* A tab says how much has come since its drawer was last open. */
import { flushSync } from "svelte";
import { expect, it } from "vitest";
import { News } from "../../src/screens/table/news.svelte";

it("counts what came since it was looked into, and begins anew when it is emptied", () => {
  const table = $state({ open: "", claims: 2 });
  let news!: News;
  const end = $effect.root(() => {
    news = new News(
      () => ({ claims: table.claims, log: 7 }),
      () => table.open,
    );
  });
  const after = (changes: Partial<typeof table>) => {
    Object.assign(table, changes);
    flushSync();
    return news.of("claims");
  };
  expect(after({})).toBe(2);
  expect(after({ open: "claims" })).toBe(0);
  expect(after({ claims: 3 })).toBe(0);
  expect(after({ open: "", claims: 5 })).toBe(2);
  expect(after({ claims: 0 })).toBe(0);
  expect(after({ claims: 1 })).toBe(1);
  expect(news.of("log")).toBe(7);
  end();
});
