/* What stands on the cards of a match comes with that match, in a request of its own. Until it is here,
   nothing of another match is said in its place; and it is asked for until it comes. */

import type { Why } from "../../generated/protocol";
import { api, Failed } from "../api";
import { pauseAfter } from "../backoff";
import { voice } from "./index.svelte";

class OwnWords {
  /** What is to be said about words that have not come. */
  late = $state.raw<Why | null>(null);
  /** The match whose words are said, as far as they have come. */
  said = $state("");

  /** Say the words of this match, in this language. For an effect. */
  follow(match: string, title: string, lang: string): () => void {
    let over = false;
    let failures = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.late = null;
    const bare = voice.load(lang, title);
    const saying = async (loaded: Promise<void>): Promise<void> => {
      await loaded;
      if (!over) this.said = match;
    };

    const ask = async (): Promise<void> => {
      try {
        const own = await api.matchWords(match, lang);
        if (over) return;
        this.late = null;
        void saying(voice.load(lang, title, own));
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        if (over) return;
        void saying(bare);
        this.late = error.passing ? { key: "shell.words-late" } : error.why;
        if (error.passing) timer = setTimeout(ask, pauseAfter(failures));
        failures += 1;
      }
    };
    void ask();
    return () => {
      over = true;
      clearTimeout(timer);
      this.late = null;
    };
  }
}

export const ownWords = new OwnWords();
