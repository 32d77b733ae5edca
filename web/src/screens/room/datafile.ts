/* A file of somebody's own: JSON as it is, or a table of cards as spreadsheets write it (CSV). */

import type { Why } from "../../generated/protocol";

export type Read = { content: unknown } | { why: Why };

export function read(file: string, text: string): Read {
  if (/\.(csv|tsv)$/i.test(file)) return { content: { cards: cards(text) } };
  try {
    const content = JSON.parse(text) as unknown;
    // A bare list of cards is a pack, too.
    return { content: Array.isArray(content) ? { cards: content } : content };
  } catch (error) {
    return { why: { key: "data.json", args: { file, detail: (error as Error).message } } };
  }
}

const NUMBERS = ["sympathy", "lives", "harm", "absurdity"];
const NAMES = ["deck", "tag", "id"];

/** A card a row: fields by name, and every other column is a language. The server checks them. */
function cards(text: string): unknown[] {
  const clean = text.replace(/^\uFEFF/, "");
  const [head = [], ...rows] = table(clean, delimiter(clean));
  return rows
    .filter((row) => row.some((cell) => cell))
    .map((row) => {
      const card: Record<string, unknown> = {};
      const texts: Record<string, string> = {};
      head.forEach((column, at) => {
        const value = row[at];
        if (!value) return;
        if (NUMBERS.includes(column))
          card[column] = /^[+-]?\d{1,3}$/.test(value) ? Number(value) : value;
        else if (NAMES.includes(column))
          card[column] = column === "id" ? value : value.toLowerCase();
        else texts[column] = value;
      });
      return { ...card, text: texts };
    });
}

/** Spreadsheets in Italian and German write semicolons. */
function delimiter(text: string): string {
  const head = text.split("\n", 1)[0]!;
  const count = (mark: string) => head.split(mark).length;
  return [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

function table(text: string, mark: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let quoted = false;
  const endCell = () => {
    rows[rows.length - 1]!.push(cell.trim());
    cell = "";
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!;
    if (quoted && letter === '"' && text[at + 1] === '"') cell += text[(at += 1)];
    else if (letter === '"') quoted = !quoted;
    else if (quoted) cell += letter;
    else if (letter === mark) endCell();
    else if (letter === "\n") {
      endCell();
      rows.push([]);
    } else if (letter !== "\r") cell += letter;
  }
  endCell();
  return rows;
}
