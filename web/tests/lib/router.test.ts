import { expect, it } from "vitest";
import { decoded, router } from "../../src/lib/router.svelte";

it.each([
  ["/room/ABCDEF", ["room", "ABCDEF"]],
  ["/rules/a%20b", ["rules", "a b"]],
  ["/room/%", ["room", "%"]],
  ["/%E0%A4%A/x%2Fy", ["%E0%A4%A", "x/y"]],
])("whatever stands in the address, it has parts: %s", (path, parts) => {
  router.path = path;
  expect(router.parts).toEqual(parts);
});

it("what cannot be read stays as it is", () => {
  expect(["%", "100%", "%zz", "ST-5.5", "%C3%A4"].map(decoded)).toEqual([
    "%",
    "100%",
    "%zz",
    "ST-5.5",
    "ä",
  ]);
});
