/* How long to wait before something that failed is tried again. */

const PAUSES = [200, 500, 1000, 2000, 5000];

/** After so many failures before. Chance makes it longer or shorter by half: not all come back at once. */
export function pauseAfter(failures: number): number {
  return PAUSES[Math.min(failures, PAUSES.length - 1)]! * (0.5 + Math.random());
}
