/* The rules as they are written in docs/rules, as blocks to draw. It knows what those pages use: headings,
   paragraphs, lists, tables, bold, italics, code, links and anchors. */

export interface Span {
  text: string;
  bold?: boolean;
  italic?: boolean;
  code?: boolean;
  href?: string;
}

export type Block =
  | { kind: "heading"; level: number; id: string; spans: Span[] }
  | { kind: "paragraph"; id: string; spans: Span[] }
  | { kind: "list"; ordered: boolean; items: Span[][] }
  | { kind: "table"; head: Span[][]; rows: Span[][][] };

const ANCHOR = /^<a id="([^"]+)"><\/a>/;
const RULE = /\b(ST|TA|TT|NM)-\d+(?:\.\d+)?\b/;

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  for (const part of text.replaceAll("\r", "").split(/\n{2,}/)) {
    const lines = part.split("\n").filter((line) => line.trim() && !line.startsWith("<!--"));
    if (lines.length) found.push(...block(lines));
  }
  return found;
}

function block(lines: string[]): Block[] {
  const first = lines[0]!;
  const heading = /^(#+)\s+(.*)$/.exec(first);
  if (heading) {
    const spans = inline(heading[2]!);
    const id = slug(spans.map((span) => span.text).join(""));
    const rest = lines.slice(1);
    return [
      { kind: "heading", level: heading[1]!.length, id, spans },
      ...(rest.length ? block(rest) : []),
    ];
  }
  if (first.startsWith("|")) return [table(lines)];
  if (/^(\d+\.|[-*])\s/.test(first)) return [list(lines)];
  const start = lines.findIndex((line) => /^(\d+\.|[-*])\s/.test(line));
  if (start > 0) return [...block(lines.slice(0, start)), list(lines.slice(start))];
  const anchor = ANCHOR.exec(first);
  const spans = inline(lines.join(" ").replace(ANCHOR, ""));
  return [{ kind: "paragraph", id: anchor?.[1] ?? "", spans }];
}

function list(lines: string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    if (/^(\d+\.|[-*])\s/.test(line)) items.push(line.replace(/^(\d+\.|[-*])\s+/, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return { kind: "list", ordered: /^\d/.test(lines[0]!), items: items.map(inline) };
}

function table(lines: string[]): Block {
  const cells = (line: string) =>
    line
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
      if (token.startsWith("**")) return [{ text: token.slice(2, -2), bold: true }];
      if (token.startsWith("`")) return [{ text: token.slice(1, -1), code: true }];
      const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(token);
      if (link) return [{ text: link[1]!, href: link[2]! }];
      if (/^\*[^*]+\*$/.test(token)) return [{ text: token.slice(1, -1), italic: true }];
      return cited(token);
    });
}

function cited(text: string): Span[] {
  return text
    .split(new RegExp(`(${RULE.source.replace("(ST|TA|TT|NM)", "(?:ST|TA|TT|NM)")})`))
    .filter(Boolean)
    .map((part) =>
      RULE.test(part) && part.length < 10 ? { text: part, href: `#${part}` } : { text: part },
    );
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
