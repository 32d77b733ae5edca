/* Where things stand in the sources of boards: once, and in their own place. */
import { expect, test } from "vitest";
import { TITLES } from "../../src/titles";

const sources = Object.entries(
  import.meta.glob<string>("../../src/**/*.{ts,svelte,css}", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
)
  .map(([path, source]) => ({ path: path.replace("../../src/", ""), source }))
  .filter(({ path }) => !path.startsWith("generated/"));

const where = (found: (source: string, path: string) => boolean) =>
  sources.filter(({ source, path }) => found(source, path)).map(({ path }) => path);

test.each(TITLES.map(({ id }) => id))("%s is named in its own folder, and in the list", (id) => {
  const elsewhere = where((source) => source.includes(id)).filter(
    (path) => !path.startsWith(`titles/${id}/`),
  );
  expect(elsewhere).toEqual(["titles/index.ts"]);
});

test("choices are sent in one place", () => {
  const senders = where(
    (source, path) => path.startsWith("titles/") && /\bacting\??\.do\(/.test(source),
  );
  expect(senders).toEqual(["titles/unsent.svelte.ts"]);
});

test("what moves is moved by svelte/motion", () => {
  expect(where((source) => source.includes("requestAnimationFrame"))).toEqual([]);
});

test("no style of a title reaches into another component", () => {
  const reaching = where(
    (source, path) => path.startsWith("titles/") && source.includes(":global"),
  );
  expect(reaching).toEqual([]);
});

test("nothing of a title is told apart by a type that is only claimed", () => {
  const claims = /\b(?:scene\.view|(?:choice|action|step|one|target)\.do(?:\.\w+)?) as (?!const)/;
  expect(where((source, path) => path.startsWith("titles/") && claims.test(source))).toEqual([]);
});
