import { expect, it } from "vitest";
import type { Choice } from "../../src/generated/protocol";
import { proposed } from "../../src/lib/hint";

const choice = (name: string, then: Choice[] = []): Choice =>
  ({ do: { do: name }, line: { key: name }, then }) as Choice;
const choices = [choice("draw"), choice("play", [choice("brake"), choice("accelerate")])];
const hint = [{ do: "play" }, { do: "accelerate" }];

it("marks the step that comes next", () => {
  expect(proposed(hint, [], choices)?.do).toEqual({ do: "play" });
  expect(proposed(hint, [{ do: "play" }], choices[1]!.then!)?.do).toEqual({ do: "accelerate" });
});

it("marks nothing without a hint, on another way, or when all is chosen", () => {
  expect(proposed(null, [], choices)).toBe(null);
  expect(proposed([], [], choices)).toBe(null);
  expect(proposed(hint, [{ do: "draw" }], choices)).toBe(null);
  expect(proposed(hint, hint, [])).toBe(null);
});
