/* Why something was not done. */

import type { Why } from "../generated/protocol";
import { Failed } from "./api";

export class Refused extends Error {
  constructor(readonly why: Why) {
    super(why.key);
  }
}

/** Why something that was tried at a table failed: the rules or the room say so, or nobody answered. */
export function whyOf(failed: unknown): Why {
  const known = failed instanceof Refused || failed instanceof Failed;
  return known ? failed.why : { key: "web.offline" };
}
