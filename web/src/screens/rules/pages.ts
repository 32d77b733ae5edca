/* The pages of docs/rules: one for each title and language, loaded when they are read. */

import { POSTERS } from "../../art/posters";
import { book, type Entry } from "./book";

const PAGES = import.meta.glob<string>("../../../../docs/rules/??/*.md", {
  query: "?raw",
  import: "default",
});
const place = (lang: string, title: string) => `../../../../docs/rules/${lang}/${title}.md`;

/** What can be read, in the order of the posters. */
export const WRITTEN = POSTERS.filter((poster) => place("en", poster.id) in PAGES);

export interface Page {
  entries: Entry[];
  /** In which language it is: the reader's, else English. */
  lang: string;
}

export async function load(title: string, lang: string): Promise<Page | null> {
  const found = [lang, "en"].find((one) => place(one, title) in PAGES);
  return found ? { entries: book(await PAGES[place(found, title)]!()), lang: found } : null;
}
