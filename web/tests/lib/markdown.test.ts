import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { blocks, inline, type Block, type Span } from "../../src/lib/markdown";

const text = (spans: Span[]) => spans.map((span) => span.text).join("");

describe("what stands in a line", () => {
  it("is bold, italic, code or a link", () => {
    expect(inline("a **b** *c* `d` [e](f.md#g)")).toEqual([
      { text: "a " },
      { text: "b", bold: true },
      { text: " " },
      { text: "c", italic: true },
      { text: " " },
      { text: "d", code: true },
      { text: " " },
      { text: "e", href: "f.md#g" },
    ]);
  });

  it("a rule's number leads to the rule", () => {
    expect(inline("see ST-12.3, and TT-4")).toEqual([
      { text: "see " },
      { text: "ST-12.3", href: "#ST-12.3" },
      { text: ", and " },
      { text: "TT-4", href: "#TT-4" },
    ]);
    expect(inline("ROST-12")).toEqual([{ text: "ROST-12" }]);
  });

  it("lone stars stay", () => {
    expect(text(inline("2 * 3"))).toBe("2 * 3");
  });
});

describe("blocks", () => {
  it("headings have anchors", () => {
    expect(blocks("## The *line*, & more\nA word.")).toEqual([
      {
        kind: "heading",
        level: 2,
        id: "the-line-more",
        spans: [{ text: "The " }, { text: "line", italic: true }, { text: ", & more" }],
      },
      { kind: "paragraph", id: "", spans: [{ text: "A word." }] },
    ]);
  });

  it("paragraphs may have one, too", () => {
    const [one] = blocks('<a id="ST-1.2"></a>**ST-1.2** The train\nruns.');
    expect(one).toMatchObject({ kind: "paragraph", id: "ST-1.2" });
    expect(text((one as { spans: Span[] }).spans)).toBe("ST-1.2 The train runs.");
  });

  it("lists go on over lines, and may follow a sentence", () => {
    const found = blocks("Take:\n- one\n  and a half\n- two\n\n1. first\n2. second");
    expect(found.map((one) => one.kind)).toEqual(["paragraph", "list", "list"]);
    const [, plain, ordered] = found as [Block, Block, Block];
    expect(plain).toMatchObject({ ordered: false });
    expect(plain.kind === "list" && plain.items.map(text)).toEqual(["one and a half", "two"]);
    expect(ordered).toMatchObject({ ordered: true });
  });

  it("tables have a head and rows", () => {
    expect(blocks("| a | b |\n|---|---|\n| 1 | **2** |")).toEqual([
      {
        kind: "table",
        head: [[{ text: "a" }], [{ text: "b" }]],
        rows: [[[{ text: "1" }], [{ text: "2", bold: true }]]],
      },
    ]);
  });

  it("comments are not for readers", () => {
    expect(blocks("<!-- no -->\n\nYes.")).toHaveLength(1);
  });
});

describe("the rules as they are written", () => {
  const folder = "../docs/rules/";
  const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));

  it.each(pages)("%s leaves no signs of its making", (page) => {
    const found = blocks(readFileSync(folder + page, "utf8"));
    expect(found.length).toBeGreaterThan(5);
    const spans = found.flatMap((one) =>
      one.kind === "list"
        ? one.items.flat()
        : one.kind === "table"
          ? [...one.head.flat(), ...one.rows.flat(2)]
          : one.spans,
    );
    for (const span of spans.filter((one) => !one.code))
      expect(span.text).not.toMatch(/\*\*|`|<a |\]\(|^\s*\|/);
  });

  it.each(pages)("%s: every link to a rule of the page has its rule", (page) => {
    const found = blocks(readFileSync(folder + page, "utf8"));
    const anchors = new Set(found.flatMap((one) => ("id" in one && one.id ? [one.id] : [])));
    const hrefs = found
      .flatMap((one) => ("spans" in one ? one.spans : one.kind === "list" ? one.items.flat() : []))
      .flatMap((span) => (span.href?.startsWith("#") ? [span.href.slice(1)] : []));
    expect(hrefs.length).toBeGreaterThan(0);
    expect([...new Set(hrefs)].filter((href) => !anchors.has(href))).toEqual([]);
  });
});
