/* Rules have numbers, and a number says whose rule it is: ST-5.5 is one of Stop the Train!. */

import { TITLES } from "../titles";

/** A rule's number, or that of a whole chapter. */
export const RULE = new RegExp(
  `\\b(?:${TITLES.map((title) => title.rules).join("|")})-\\d+(?:\\.\\d+)?\\b`,
);

/** Whose rule this is; "" for those of titles that we have no pages of. */
export function titleOf(rule: string): string {
  return TITLES.find((title) => rule.startsWith(`${title.rules}-`))?.id ?? "";
}

/** Where a rule can be read. */
export function pathOf(title: string, anchor = ""): string {
  return `/rules/${title}${anchor && `#${anchor}`}`;
}
