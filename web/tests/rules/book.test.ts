import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { book, fold, marked, search } from "../../src/screens/rules/book";

const TEXT = `# A game

Rules. **R** is ours.

## <a id="quick-start"></a>Quick start

Ride the tram.

## <a id="rules"></a>The rules

### <a id="ST-1"></a>1. The box

<a id="ST-1.1"></a>**ST-1.1 Trams.** There are two.

* A blue one.
* A red one, the Über-tram.

| Who | What |
|---|---|
| You’re it | ride −1 |
| Ada | walk |

### <a id="ST-2"></a>2. The end

<a id="ST-2.1"></a>**ST-2.1 Winning.** Nobody does.

> **Example.** Ada walks.
`;
const entries = book(TEXT);
const ids = (sought: string) => search(entries, sought)?.entries.map((entry) => entry.id);

describe("a book", () => {
  it("has an entry for each heading and each rule", () => {
    const found = entries.map((entry) => `${entry.level}${entry.id}`);
    expect(found).toEqual([
      "1a-game",
      "0",
      "2quick-start",
      "0",
      "2rules",
      "3ST-1",
      "0ST-1.1",
      "3ST-2",
      "0ST-2.1",
    ]);
  });

  it("and a rule has all that follows it", () => {
    const rule = entries.find((entry) => entry.id === "ST-1.1");
    expect(rule?.blocks.map((block) => block.kind)).toEqual(["paragraph", "list", "table"]);
  });
});

describe("searching", () => {
  it("begins with the second letter", () => {
    expect(search(entries, " a ")).toBeNull();
    expect(search(entries, "")).toBeNull();
  });

  it("finds rules with the headings above them", () => {
    expect(ids("nobody")).toEqual(["rules", "ST-2", "ST-2.1"]);
    expect(ids("ST-2.1")).toEqual(["rules", "ST-2", "ST-2.1"]);
  });

  it("knows no case, accents or printer's signs", () => {
    for (const sought of ["uber-TRAM", "you're", "ride -1"])
      expect(ids(sought)).toEqual(["rules", "ST-1", "ST-1.1"]);
  });

  it("keeps of a rule its beginning and what has the words", () => {
    const found = search(entries, "red");
    const rule = found?.entries.at(-1);
    expect(found?.places).toBe(1);
    expect(rule?.blocks).toMatchObject([
      { kind: "paragraph" },
      { kind: "list", items: [[{}]], numbers: [2] },
    ]);
    expect(
      search(entries, "walk")?.entries.find((one) => one.id === "ST-1.1")?.blocks,
    ).toMatchObject([
      { kind: "paragraph" },
      { kind: "table", rows: [[[{ text: "Ada" }], [{ text: "walk" }]]] },
    ]);
  });

  it("takes words together, and apart where they never are", () => {
    expect(search(entries, "blue one")).toMatchObject({ places: 1, terms: ["blue one"] });
    expect(search(entries, "one blue")).toMatchObject({ places: 1, terms: ["one", "blue"] });
  });

  it("finds headings, examples and nothing", () => {
    expect(ids("the end")).toEqual(["rules", "ST-2"]);
    expect(ids("Ada walks")).toEqual(["rules", "ST-2", "ST-2.1"]);
    expect(search(entries, "aeroplane")).toMatchObject({ entries: [], places: 0 });
  });

  it("counts every place", () => {
    expect(search(entries, "tram")?.places).toBe(3);
  });
});

describe("marks", () => {
  const one = (text: string, ...terms: string[]) => marked([{ text }], terms)[0];

  it("are every second piece", () => {
    expect(one("A tram, a Tram", "tram")).toEqual(["A ", "tram", ", a ", "Tram", ""]);
    expect(one("A tram")).toEqual(["A tram"]);
    expect(one("a b a", "a", "b")).toEqual(["", "a", " ", "b", " ", "a", ""]);
  });

  it("go over what is bold and what is not", () => {
    const spans = [
      { text: "The " },
      { text: "blue", bold: true },
      { text: " tram" },
      { text: "!" },
    ];
    expect(marked(spans, ["e blue tr"])).toEqual([
      ["Th", "e ", ""],
      ["", "blue", ""],
      ["", " tr", "am"],
      ["!"],
    ]);
  });

  it("fall where the words are, whatever the signs", () => {
    for (const lang of ["it", "de"]) {
      const text = readFileSync(`../docs/rules/${lang}/stop-the-train.md`, "utf8");
      expect(fold(text)).toHaveLength(text.length);
    }
    expect(one("Größe: İstanbul, Über", "uber")).toEqual(["Größe: İstanbul, ", "Über", ""]);
  });
});
