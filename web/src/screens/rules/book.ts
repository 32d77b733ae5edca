/* A title's rules as a book: entries with anchors, chapters to turn to, and what is found in it. */

import { blocks, plain, type Block, type Span } from "../../lib/markdown";

/** A heading, a rule with all that belongs to it, or text that is neither. */
export interface Entry {
  id: string;
  /** 1 is the title, 2 a part, 3 a chapter; 0 is no heading. */
  level: number;
  blocks: Block[];
}

export function book(text: string): Entry[] {
  const entries: Entry[] = [];
  for (const block of blocks(text)) {
    const last = entries.at(-1);
    if (block.kind === "heading")
      entries.push({ id: block.id, level: block.level, blocks: [block] });
    else if (block.kind === "paragraph" && block.id)
      entries.push({ id: block.id, level: 0, blocks: [block] });
    else if (last?.level === 0) last.blocks.push(block);
    else entries.push({ id: "", level: 0, blocks: [block] });
  }
  return entries;
}

// --- searching ---------------------------------------------------------------------------------------

/** As one searches: case, accents and the printer's signs make no difference. One sign stays one sign. */
export function fold(text: string): string {
  return Array.from(text, (sign) => {
    const bare = FOLDED[sign] ?? sign.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    return bare.length === sign.length ? bare : sign.toLowerCase();
  }).join("");
}

const FOLDED: Record<string, string> = { "’": "'", "−": "-", "–": "-", "“": '"', "”": '"' };

export interface Found {
  entries: Entry[];
  /** What to mark. */
  terms: string[];
  /** How many paragraphs, rows and items have it. */
  places: number;
}

const SHORTEST = 2;

/** Where the words stand together; if they do so nowhere, where all of them stand. */
export function search(entries: readonly Entry[], sought: string): Found | null {
  const phrase = fold(sought.trim().replace(/\s+/g, " "));
  if (phrase.length < SHORTEST) return null;
  const whole = find(entries, [phrase]);
  const terms = phrase.split(" ");
  return whole.places || terms.length === 1 ? whole : find(entries, terms);
}

function find(entries: readonly Entry[], terms: string[]): Found {
  const has = (spans: readonly Span[]) => {
    const text = fold(plain(spans));
    return terms.every((term) => text.includes(term));
  };
  const found: Found = { entries: [], terms, places: 0 };
  /** Headings wait until something below them is found. */
  let above: Entry[] = [];
  for (const entry of entries) {
    if (entry.level === 1) continue;
    if (entry.level) above = [...above.filter((one) => one.level < entry.level), entry];
    const [kept, places] = keep(entry, has);
    if (!places) continue;
    found.entries.push(...above, ...(entry.level ? [] : [kept]));
    found.places += places;
    above = [];
  }
  return found;
}

type Has = (spans: readonly Span[]) => boolean;

/** What of an entry has it; a rule keeps its first sentence, so that one sees whose item or row it is. */
function keep(entry: Entry, has: Has): [Entry, number] {
  let places = 0;
  const blocks = entry.blocks.flatMap((block, number): Block[] => {
    const [part, count] = sift(block, has);
    places += count;
    return part ? [part] : number === 0 && entry.id ? [block] : [];
  });
  return [{ ...entry, blocks }, places];
}

function sift(block: Block, has: Has): [Block | null, number] {
  switch (block.kind) {
    case "list": {
      const items = block.items.filter(has);
      const numbers = items.map((item) => block.items.indexOf(item) + 1);
      return [items.length ? { ...block, items, numbers } : null, items.length];
    }
    case "table": {
      const rows = block.rows.filter((row) => has(row.flatMap((cell) => [...cell, SPACE])));
      return [rows.length ? { ...block, rows } : null, rows.length];
    }
    case "example": {
      const parts = block.blocks.map((one) => sift(one, has)[1]);
      return parts.some(Boolean) ? [block, 1] : [null, 0];
    }
    case "code":
      return has([{ text: block.text }]) ? [block, 1] : [null, 0];
    default:
      return has(block.spans) ? [block, 1] : [null, 0];
  }
}

const SPACE: Span = { text: " " };

/** The texts of a line's spans in pieces, every second of which is to be marked: a mark may go over spans. */
export function marked(spans: readonly Span[], terms: readonly string[]): string[][] {
  const hit = ranges(fold(plain(spans)), terms);
  let start = 0;
  return spans.map(({ text }) => {
    const pieces: string[] = [];
    let done = 0;
    for (const [from, to] of hit) {
      const [first, last] = [Math.max(from - start, done), Math.min(to - start, text.length)];
      if (first < last) pieces.push(text.slice(done, first), text.slice(first, last));
      done = Math.max(done, last);
    }
    start += text.length;
    return [...pieces, text.slice(done)];
  });
}

/** Where the terms are, from left to right, without overlap. */
function ranges(text: string, terms: readonly string[]): [number, number][] {
  const found: [number, number][] = [];
  for (let done = 0; ; done = found.at(-1)![1]) {
    const next = terms
      .map((term): [number, number] => [text.indexOf(term, done), term.length])
      .filter(([at]) => at >= 0)
      .sort((one, two) => one[0] - two[0] || two[1] - one[1])[0];
    if (!next) return found;
    found.push([next[0], next[0] + next[1]]);
  }
}

/** What a heading says. */
export function head(entry: Entry): Span[] {
  return entry.blocks[0]?.kind === "heading" ? entry.blocks[0].spans : [];
}

/** A rule with its number and name: "**ST-2.2 Balanced cast** *(option).* …" has a line of its own for them. */
export interface Numbered {
  number: string;
  name: string;
  note: string;
  rest: Block[];
}

export function numbered(entry: Entry): Numbered | null {
  const [first, ...others] = entry.blocks;
  if (!entry.id || first?.kind !== "paragraph") return null;
  const [bold, ...spans] = first.spans;
  if (!bold?.bold || !bold.text.startsWith(`${entry.id} `)) return null;
  const noted = spans[0]?.text.trim() === "" && spans[1]?.italic ? spans[1].text : "";
  const left = noted ? spans.slice(2) : spans;
  return {
    number: entry.id,
    name: bold.text.slice(entry.id.length + 1).replace(/\.$/, ""),
    note: noted.replace(/\.$/, ""),
    rest: left.length ? [{ ...first, spans: left }, ...others] : others,
  };
}
