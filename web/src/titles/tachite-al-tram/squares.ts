/* The squares of the board: A1 is 0, G14 is 97; row 1 is at the sea. */

export const COLUMNS = 7;
export const ROWS = 14;
export const SQUARES = COLUMNS * ROWS;
const LETTERS = "ABCDEFG";

export function columnOf(square: number): number {
  return square % COLUMNS;
}

/** Counted from 0, from the sea. */
export function rowOf(square: number): number {
  return Math.floor(square / COLUMNS);
}

export function squareName(square: number): string {
  return `${LETTERS[columnOf(square)]}${rowOf(square) + 1}`;
}

export function squareAt(column: number, row: number): number {
  return row * COLUMNS + column;
}

/** "D8" → 52; -1 if it is none. */
export function squareCalled(name: string): number {
  const column = LETTERS.indexOf(name[0] ?? "?");
  const row = Number(name.slice(1)) - 1;
  return column >= 0 && row >= 0 && row < ROWS ? squareAt(column, row) : -1;
}

/** The square beyond a side (a bit); -1 off the board. */
export function beside(square: number, side: number): number {
  const column = columnOf(square) + (side === 2 ? 1 : side === 8 ? -1 : 0);
  const row = rowOf(square) + (side === 1 ? 1 : side === 4 ? -1 : 0);
  if (column < 0 || column >= COLUMNS || row < 0 || row >= ROWS) return -1;
  return squareAt(column, row);
}
