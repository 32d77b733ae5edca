/* The same sentences as Python says them; sentences.py made the file. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { message } from "../../src/lib/words/message";
import { Words, type Arguments, type Catalogue } from "../../src/lib/words/speak";

interface Sentences {
  names: string[];
  entries: Record<string, Record<string, Catalogue>>;
  said: [lang: string, title: string, key: string, args: Arguments, text: string][];
}

const { names, entries, said } = JSON.parse(
  readFileSync("tests/lib/sentences.json", "utf8"),
) as Sentences;

describe.each(["en", "it", "de"])("%s", (lang) => {
  const of = said.filter(([one]) => one === lang);

  it("has something to say", () => expect(of.length).toBeGreaterThan(80));

  it.each([...new Set(of.map(([, title]) => title))])("says what Python says: %s", (title) => {
    const words = new Words(lang, entries[lang]![title]!);
    for (const [, , key, args, text] of of.filter((one) => one[1] === title))
      expect([key, args, words.say(key, args, names)]).toEqual([key, args, text]);
  });
});

describe("words", () => {
  const words = new Words("en", entries.en![""]!);

  it("of several catalogues, later ones win", () => {
    const own = new Words("en", { a: "first", b: "kept" }, { a: "second" });
    expect([own.say("a"), own.say("b")]).toEqual(["second", "kept"]);
    expect([own.has("a"), own.has("c")]).toEqual([true, false]);
  });

  it("a form that a noun lacks is its plain one", () => {
    expect(words.word("odd.thing.tram", "the")).toBe("the tram");
    expect(words.word("odd.thing.tram", "of")).toBe("tram");
    expect(() => words.word("odd.thing.bus")).toThrow();
  });

  it("lists of names", () => {
    expect(words.join([])).toBe(words.join([]));
    expect(words.join(["Ada", "Bruno", "Carla"])).toMatch(/^Ada, Bruno,? and Carla$/);
  });

  it("nothing that belongs to every object is a message", () => {
    expect(words.has("toString")).toBe(false);
    expect(words.say("toString")).toBe("⟨toString⟩");
    expect(words.say("constructor")).toBe("⟨constructor⟩");
  });
});

describe("messages", () => {
  it("have slots, and braces that are meant", () => {
    expect(message("{{{n}}} of {card:card/the+}")).toEqual({
      kind: "template",
      parts: [
        "{",
        { name: "n", space: "", form: "", many: false },
        "} of ",
        { name: "card", space: "card", form: "the", many: true },
      ],
    });
  });

  it("have variants for what they know, and another for a stranger's word", () => {
    const words = new Words("en", { greet: { by: "who", ada: "Hello Ada", other: "Hello you" } });
    expect(words.say("greet", { who: "ada" })).toBe("Hello Ada");
    for (const who of ["bruno", "constructor", "toString"])
      expect(words.say("greet", { who })).toBe("Hello you");
  });

  it("that are no messages say so", () => {
    expect(() => message("{Not a slot}")).toThrow();
    expect(() => message({ by: "?", other: "x" })).toThrow();
  });
});
