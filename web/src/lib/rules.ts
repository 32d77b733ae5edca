/* Rules have numbers, and a number says whose rule it is: ST-5.5 is one of Stop the Train!. */

const TITLES: Record<string, string> = {
  ST: "stop-the-train",
  TA: "tachite-al-tram",
  TT: "trial-by-trolley",
  NM: "night-mail",
};

/** A rule's number, or that of a whole chapter. */
export const RULE = new RegExp(`\\b(?:${Object.keys(TITLES).join("|")})-\\d+(?:\\.\\d+)?\\b`);

/** Whose rule this is; "" for those of titles that we have no pages of. */
export function titleOf(rule: string): string {
  return TITLES[rule.split("-")[0]!] ?? "";
}

/** Where a rule can be read. */
export function pathOf(title: string, anchor = ""): string {
  return `/rules/${title}${anchor && `#${anchor}`}`;
}
