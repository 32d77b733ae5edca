/* The words of a title that did not come with the pages: the server has them. They are asked for until they
   come, and then not again. */

import { api, Failed } from "../api";
import { pauseAfter } from "../backoff";
import type { Catalogue } from "./speak";

const asked = new Map<string, Promise<{ default: Catalogue }>>();

export function told(lang: string, title: string): Promise<{ default: Catalogue }> {
  const key = `${lang} ${title}`;
  const found = asked.get(key) ?? ask(lang, title);
  asked.set(key, found);
  return found;
}

async function ask(lang: string, title: string): Promise<{ default: Catalogue }> {
  for (let failures = 0; ; failures += 1) {
    try {
      return { default: await api.words(lang, title) };
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      if (!error.passing) return { default: {} }; // a title that is not there any more
      await new Promise((done) => setTimeout(done, pauseAfter(failures)));
    }
  }
}
