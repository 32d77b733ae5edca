import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { blocks, inline, plain, type Block, type Span } from "../../src/lib/markdown";

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
    expect(inline("ROST-12, UTF-8")).toEqual([{ text: "ROST-12, UTF-8" }]);
  });

  it("a ruling has its mark", () => {
    expect(inline("**R** So be it. **Rails**")).toEqual([
      { text: "R", ruling: true },
      { text: " So be it. " },
      { text: "Rails", bold: true },
    ]);
  });

  it("lone stars stay", () => {
    expect(plain(inline("2 * 3"))).toBe("2 * 3");
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

  it("which are the same in every language where they are written down", () => {
    expect(blocks('### <a id="ST-4"></a>4. Ein Zug')).toEqual([
      { kind: "heading", level: 3, id: "ST-4", spans: [{ text: "4. Ein Zug" }] },
    ]);
  });

  it("paragraphs may have one, too", () => {
    const [one] = blocks('<a id="ST-1.2"></a>**ST-1.2** The train\nruns.');
    expect(one).toMatchObject({ kind: "paragraph", id: "ST-1.2" });
    expect(plain((one as { spans: Span[] }).spans)).toBe("ST-1.2 The train runs.");
  });

  it("lists go on over lines, and may follow a sentence", () => {
    const found = blocks("Take:\n- one\n  and a half\n- two\n\n1. first\n2. second");
    expect(found.map((one) => one.kind)).toEqual(["paragraph", "list", "list"]);
    const [, loose, ordered] = found as [Block, Block, Block];
    expect(loose).toMatchObject({ ordered: false });
    expect(loose.kind === "list" && loose.items.map(plain)).toEqual(["one and a half", "two"]);
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

  it("an example has blocks of its own", () => {
    expect(blocks("> **Example.** One\n> two.\n>\n> Three.")).toMatchObject([
      { kind: "example", blocks: [{ kind: "paragraph" }, { kind: "paragraph" }] },
    ]);
  });

  it("code stays as it is, empty lines too", () => {
    expect(blocks("See:\n```\n| *a*\n\n# b\n```\nAnd on.")).toEqual([
      { kind: "paragraph", id: "", spans: [{ text: "See:" }] },
      { kind: "code", text: "| *a*\n\n# b" },
      { kind: "paragraph", id: "", spans: [{ text: "And on." }] },
    ]);
  });

  it("comments are not for readers", () => {
    expect(blocks("<!-- no -->\n\nYes.")).toHaveLength(1);
  });
});

describe("the rules as they are written", () => {
  const folder = "../docs/rules/";
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );

  function spans(block: Block): Span[] {
    switch (block.kind) {
      case "list":
        return block.items.flat();
      case "table":
        return [...block.head.flat(), ...block.rows.flat(2)];
      case "example":
        return block.blocks.flatMap(spans);
      case "code":
        return [];
      default:
        return block.spans;
    }
  }

  it("are there in three languages", () => {
    expect(pages.length).toBeGreaterThan(6);
  });

  it.each(pages)("%s leaves no signs of its making", (page) => {
    const found = blocks(readFileSync(folder + page, "utf8"));
    expect(found.length).toBeGreaterThan(5);
    for (const span of found.flatMap(spans).filter((one) => !one.code))
      expect(span.text).not.toMatch(/\*\*|`|<a |\]\(|^\s*[|>]/);
  });

  it.each(pages)("%s: every link inside the page has its place", (page) => {
    const found = blocks(readFileSync(folder + page, "utf8"));
    const anchors = new Set(found.flatMap((one) => ("id" in one && one.id ? [one.id] : [])));
    const hrefs = found
      .flatMap(spans)
      .flatMap((span) => (span.href?.startsWith("#") ? [span.href.slice(1)] : []));
    expect(hrefs.length).toBeGreaterThan(0);
    expect([...new Set(hrefs)].filter((href) => !anchors.has(href))).toEqual([]);
  });
});
