/* The words of the page, in the language that is wanted now. Changing it needs no reload:
   whatever says something says it again. */

import type { Line, Why } from "../../generated/protocol";
import type { Texts } from "../../generated/words";
import { prefs } from "../prefs.svelte";
import { readable, Words, type Arguments, type Catalogue } from "./speak";
import { told } from "./told";

type Loader = () => Promise<{ default: Catalogue }>;

// One chunk a language: nobody loads a language that they do not read.
const COMMON = import.meta.glob<{ default: Catalogue }>("../../../../src/capolinea/words/??.json");
const WEB = import.meta.glob<{ default: Catalogue }>("../../words/??.json");
const TITLES = import.meta.glob<{ default: Catalogue }>(
  "../../../../src/capolinea/games/*/words/??.json",
);
const POSTERS = import.meta.glob<{ default: Catalogue }>("../../titles/*/poster/??.json");
const BOARDS = import.meta.glob<{ default: Catalogue }>("../../titles/*/words/??.json");

function loaders(files: Record<string, Loader>, ending: string): Loader[] {
  return Object.entries(files)
    .filter(([path]) => path.endsWith(ending))
    .map(([, load]) => load);
}

/** The words of a language, of the page and of a title; what has come once is not asked for again. */
export function wordsOf(lang: string, title: string): Promise<{ default: Catalogue }[]> {
  const files = [
    ...loaders(COMMON, `/${lang}.json`),
    ...loaders(WEB, `/${lang}.json`),
    ...loaders(POSTERS, `/${lang}.json`),
    ...(title ? titleWords(lang, title) : []),
  ];
  return Promise.all(files.map((load) => load()));
}

/** Those of a title that did not come with the pages are the server's. */
function titleWords(lang: string, title: string): Loader[] {
  const folder = title.replaceAll("-", "_");
  const own = loaders(TITLES, `/games/${folder}/words/${lang}.json`);
  if (!own.length) return [() => told(lang, title)];
  return [...own, ...loaders(BOARDS, `/titles/${title}/words/${lang}.json`)];
}

class Voice {
  private base = $state.raw(new Words("en"));
  private title = $state.raw<Words | null>(null);
  /** How often something was asked for: only what was asked for last counts. */
  private asked = 0;
  private topic: [title: string, own?: Catalogue] = [""];
  /** Nothing is shown before there are words for it. */
  ready = $state(false);
  /** What is said now: the title's words where a table is shown, else the page's. */
  words = $derived(this.title ?? this.base);

  /** Whether the words of a title are here: until then its options have no names. */
  get titled(): boolean {
    return this.title !== null;
  }

  /** Load what is needed for this language and title; keeps the old words until the new are here. */
  async load(lang: string, title: string, own: Catalogue = {}): Promise<void> {
    this.asked += 1;
    const { asked } = this;
    this.topic = [title, own];
    const found = await wordsOf(lang, title);
    if (this.asked !== asked) return;
    const words = new Words(lang, ...found.map((one) => one.default), own);
    if (title) this.title = words;
    else [this.base, this.title] = [words, null];
    this.ready = true;
  }

  /** The same in another language. */
  turn(lang: string): Promise<void> {
    return this.load(lang, ...this.topic);
  }
}

export const voice = new Voice();

/** Say something by its key; the compiler knows the keys and what each needs. */
export function say<K extends keyof Texts>(
  key: K,
  ...args: Texts[K] extends Record<string, never> ? [] : [Texts[K]]
): string {
  return voice.words.say(key, (args[0] ?? {}) as Arguments);
}

/** Say a line that came from the table: in words or, if there are none, as it comes. */
export function tell(line: Line | Why, names: readonly string[] = []): string {
  const { words } = voice;
  const args = spoken(line.args ?? {});
  return words.has(line.key)
    ? words.say(line.key, args, names)
    : words.plainly(line.key, args, names);
}

/** The name of something: `name("card", "accelerate")`. */
export function name(space: string, id: string | number, form = ""): string {
  const key = `${space}.${id}`;
  return voice.words.has(key) ? voice.words.word(key, form) : readable(String(id));
}

/** A reason may have others as its cause. */
function spoken(args: Record<string, unknown>): Arguments {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, isWhy(value) ? tell(value) : value]),
  );
}

function isWhy(value: unknown): value is Why {
  return typeof value === "object" && value !== null && "key" in value;
}

/** Have the words follow the language. */
export function speak(): void {
  $effect(() => {
    void voice.turn(prefs.lang);
  });
}
