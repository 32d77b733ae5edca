/* Private notes: what one thinks of whom, and a few words. Kept as text with the seat. */

import { isObject, parsed } from "../../../lib/json";

export type Mark = "" | "maybe" | "no" | "yes";

export interface Notebook {
  /** By character: what is thought of each seat. */
  grid: Record<string, Record<string, Mark>>;
  text: string;
}

const MARKS: Mark[] = ["", "maybe", "no", "yes"];

/** Whatever was kept; notes that are plain text are a text. */
export function open(notes: string): Notebook {
  if (!notes) return { grid: {}, text: "" };
  try {
    const found = parsed<Partial<Notebook> | null>(notes);
    if (isObject(found)) return { grid: found.grid ?? {}, text: found.text ?? "" };
  } catch {
    // somebody else's notes: shown as they are
  }
  return { grid: {}, text: notes };
}

export function marked(notebook: Notebook, role: string, seat: number): Mark {
  return notebook.grid[role]?.[seat] ?? "";
}

/** The next mark in turn. */
export function turned(notebook: Notebook, role: string, seat: number): Notebook {
  const next = MARKS[(MARKS.indexOf(marked(notebook, role, seat)) + 1) % MARKS.length]!;
  const row: Record<string, Mark> = { ...notebook.grid[role], [seat]: next };
  if (!next) delete row[seat];
  return { ...notebook, grid: { ...notebook.grid, [role]: row } };
}

export function closed(notebook: Notebook): string {
  return JSON.stringify(notebook);
}

/** Between what was written here and what was written on another device. */
const BETWEEN = "\n———\n";

/** Both have changed what there was before: of neither anything is lost. */
export function merged(before: Notebook, ours: Notebook, theirs: Notebook): Notebook {
  const grid = structuredClone(theirs.grid);
  for (const role of new Set([...Object.keys(ours.grid), ...Object.keys(before.grid)]))
    for (const seat of Object.keys({ ...before.grid[role], ...ours.grid[role] })) {
      const mark = marked(ours, role, Number(seat));
      if (mark !== marked(before, role, Number(seat))) grid[role] = { ...grid[role], [seat]: mark };
    }
  return { grid, text: both(before.text, ours.text, theirs.text) };
}

function both(before: string, ours: string, theirs: string): string {
  if (ours === before || theirs.includes(ours)) return theirs;
  if (theirs === before || ours.includes(theirs)) return ours;
  return `${ours}${BETWEEN}${theirs}`;
}
