/* Files to fill in, as titles have them: a table with the columns that are read, and a few examples.
   One for each language, since spreadsheets of one country do not take the commas of another. */

const FILES = import.meta.glob<string>("../../../../src/capolinea/games/*/templates/*.csv", {
  query: "?url",
  import: "default",
  eager: true,
});

/** Where it can be had; undefined: there is none. */
export function template(title: string, kind: string, lang: string): string | undefined {
  const end = `/${title.replaceAll("-", "_")}/templates/${kind}.${lang}.csv`;
  return Object.entries(FILES).find(([path]) => path.endsWith(end))?.[1];
}
