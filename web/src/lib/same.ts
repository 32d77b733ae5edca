/* Two things that came as JSON from the same place, with their keys in the same order. */

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
