/* What somebody types or pastes to come into a room: its code, a link to it, or a personal link. */

export interface Wanted {
  code: string;
  /** Of a personal link, the key of the seat as the room's page reads it; else "". */
  key: string;
}

export function read(text: string): Wanted {
  const linked = /\/room\/([a-z]+)(#seat=\d+\.[^\s()]+)?/i.exec(text);
  const code = (linked?.[1] ?? text).replace(/[^a-z]/gi, "").toUpperCase();
  return { code, key: linked?.[2] ?? "" };
}
