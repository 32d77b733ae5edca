/* Where somebody will be at the table: its board, words and data are on their way while the table's own code
   and the connection are, and not after them. */

import type { RoomView } from "../../generated/protocol";
import { ahead } from "../../lib/api";
import { wordsOf } from "../../lib/words/index.svelte";
import { board } from "../../titles";

export function toTable({ title, match, data }: RoomView, lang: string): void {
  void board(title);
  void wordsOf(lang, title);
  ahead.matchWords(match, lang);
  for (const kind of Object.keys(data)) ahead.matchData(match, kind);
}
