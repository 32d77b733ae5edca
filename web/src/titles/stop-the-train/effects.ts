/* What is printed on effect cards: the figure first. */

export type Tone = "up" | "down" | "flat" | "or";

interface Printed {
  tone: Tone;
  /** The big figure; of a card with two sides, one for each. */
  figures: readonly string[];
  /** In the ledger and the log, where there is room for three characters. */
  short: string;
}

export const EFFECTS: Record<string, Printed> = {
  "full-speed-ahead": { tone: "up", figures: ["180"], short: "180" },
  accelerate: { tone: "up", figures: ["+30"], short: "+30" },
  "apply-the-brakes": { tone: "down", figures: ["−30"], short: "−30" },
  "speed-up": { tone: "up", figures: ["+60"], short: "+60" },
  "maintain-speed": { tone: "flat", figures: ["="], short: "=" },
  "hit-the-brakes": { tone: "down", figures: ["−60"], short: "−60" },
  "hard-brake": { tone: "down", figures: ["30"], short: "30" },
  "sleight-of-hand-a": { tone: "or", figures: ["=", "+30"], short: "A" },
  "sleight-of-hand-b": { tone: "or", figures: ["+30", "180"], short: "B" },
  "sleight-of-hand-c": { tone: "or", figures: ["−30", "="], short: "C" },
  theft: { tone: "or", figures: ["=", "+60"], short: "T" },
  "id-check": { tone: "or", figures: ["=", "+60"], short: "ID" },
};

export function printed(effect: string): Printed {
  return EFFECTS[effect] ?? { tone: "flat", figures: ["?"], short: "?" };
}
