import { expect, test } from "vitest";
import { read } from "../src/screens/room/datafile";

test("a table with semicolons, quotes and a byte order mark becomes cards", () => {
  const text =
    '\uFEFFdeck;tag;en;it;harm\r\nGuilty;dark;"A ""banker"";\nretired";Un banchiere;2\n\n';
  expect(read("mine.csv", text)).toEqual({
    content: {
      cards: [
        {
          deck: "guilty",
          tag: "dark",
          harm: 2,
          text: { en: 'A "banker";\nretired', it: "Un banchiere" },
        },
      ],
    },
  });
});

test("JSON stays as it is, and a bare list of cards is a pack", () => {
  expect(read("line.json", '{"line": {}}')).toEqual({ content: { line: {} } });
  expect(read("pack.json", "[1]")).toEqual({ content: { cards: [1] } });
});

test("what is not JSON says so by the name of the file", () => {
  const found = read("bad.json", "{oops");
  expect(found).toMatchObject({ why: { key: "data.json", args: { file: "bad.json" } } });
});
