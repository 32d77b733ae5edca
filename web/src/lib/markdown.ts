/* The rules as they are written in docs/rules, as blocks to draw. It knows what those pages use: headings,
   paragraphs, lists, tables, examples, code, bold, italics, links and anchors. */

import { RULE } from "./rules";

export interface Span {
  text: string;
  bold?: boolean;
  italic?: boolean;
  code?: boolean;
  /** The mark of a ruling: **R**. */
  ruling?: boolean;
  href?: string;
}

export type Block =
  | { kind: "heading"; level: number; id: string; spans: Span[] }
  | { kind: "paragraph"; id: string; spans: Span[] }
  | { kind: "list"; ordered: boolean; items: Span[][]; numbers?: number[] }
  | { kind: "table"; head: Span[][]; rows: Span[][][] }
  | { kind: "example"; blocks: Block[] }
  | { kind: "code"; text: string };

const ANCHOR = /<a id="([^"]+)"><\/a>/;
const ITEM = /^(\d+\.|[-*])\s+/;
const FENCE = /^```/;

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  let lines: string[] = [];
  let code: string[] | null = null;
  const end = () => {
    if (lines.length) found.push(...block(lines));
    lines = [];
  };
  for (const line of text.replaceAll("\r", "").split("\n")) {
    if (FENCE.test(line)) {
      end();
      if (code) found.push({ kind: "code", text: code.join("\n") });
      code = code ? null : [];
    } else if (code) code.push(line);
    else if (!line.trim()) end();
    else if (!line.startsWith("<!--")) lines.push(line);
  }
  end();
  return found;
}

function block(lines: string[]): Block[] {
  const first = lines[0]!;
  const heading = /^(#+)\s+(.*)$/.exec(first);
  if (heading) {
    const spans = inline(heading[2]!);
    const id = ANCHOR.exec(first)?.[1] ?? slug(plain(spans));
    const rest = lines.slice(1);
    return [
      { kind: "heading", level: heading[1]!.length, id, spans },
      ...(rest.length ? block(rest) : []),
    ];
  }
  if (first.startsWith(">"))
    return [
      {
        kind: "example",
        blocks: blocks(lines.map((line) => line.replace(/^>\s?/, "")).join("\n")),
      },
    ];
  if (first.startsWith("|")) return [table(lines)];
  if (ITEM.test(first)) return [list(lines)];
  const start = lines.findIndex((line) => ITEM.test(line));
  if (start > 0) return [...block(lines.slice(0, start)), list(lines.slice(start))];
  const anchor = ANCHOR.exec(first);
  return [{ kind: "paragraph", id: anchor?.[1] ?? "", spans: inline(lines.join(" ")) }];
}

function list(lines: string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return { kind: "list", ordered: /^\d/.test(lines[0]!), items: items.map(inline) };
}

function table(lines: string[]): Block {
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => inline(cell.trim()));
  const [head, , ...rows] = lines;
  return { kind: "table", head: cells(head!), rows: rows.map(cells) };
}

const TOKEN = /(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`|\[[^\]]+\]\([^)]+\))/;

/** Bold, italics, code and links; a rule's number is a link to it. */
export function inline(text: string): Span[] {
  return text
    .replace(ANCHOR, "")
    .split(TOKEN)
    .filter(Boolean)
    .flatMap((token): Span[] => {
      if (token === "**R**") return [{ text: "R", ruling: true }];
      if (token.startsWith("**")) return [{ text: token.slice(2, -2), bold: true }];
      if (token.startsWith("`")) return [{ text: token.slice(1, -1), code: true }];
      const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(token);
      if (link) return [{ text: link[1]!, href: link[2]! }];
      if (/^\*[^*]+\*$/.test(token)) return [{ text: token.slice(1, -1), italic: true }];
      return cited(token);
    });
}

const CITED = new RegExp(`(${RULE.source})`);

function cited(text: string): Span[] {
  return text
    .split(CITED)
    .filter(Boolean)
    .map((part) =>
      CITED.test(part) && !/\s/.test(part) ? { text: part, href: `#${part}` } : { text: part },
    );
}

/** What stands there, without how. */
export function plain(spans: readonly Span[]): string {
  return spans.map((span) => span.text).join("");
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
