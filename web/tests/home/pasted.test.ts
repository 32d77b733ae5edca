import { expect, it } from "vitest";
import { read } from "../../src/screens/home/pasted";

it.each([
  ["kqr-zmtb", "KQRZMTB", ""],
  ["https://there.example/room/KQRZMTB", "KQRZMTB", ""],
  ["https://there.example/room/KQRZMTB#room", "KQRZMTB", ""],
  ["https://there.example/room/KQRZMTB#seat=12.a-Key_0", "KQRZMTB", "#seat=12.a-Key_0"],
  [" Come: http://there/room/kqrzmtb#seat=0.abc (mine) ", "KQRZMTB", "#seat=0.abc"],
])("%s", (text, code, key) => {
  expect(read(text)).toEqual({ code, key });
});
