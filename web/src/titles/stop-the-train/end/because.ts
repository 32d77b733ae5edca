/* Why somebody won or lost: of all conditions those that decided it. */

import type { Outcome, Reason } from "../../../generated/protocol";
import { voice } from "../../../lib/words/index.svelte";

const EITHER = "reason.either.";

/** Who won, by everything that held; who lost, by what was needed and failed, or else by the ways out that were
    all closed. */
export function deciding({ won, reasons = [] }: Outcome): Reason[] {
  if (won) return reasons.filter((one) => one.held);
  const failed = reasons.filter((one) => !one.held);
  const needed = failed.filter((one) => !one.key.startsWith(EITHER));
  return needed.length ? needed : failed;
}

/** `taken`: the route that the train took, if it took one. */
export function because(outcome: Outcome, taken: string): string {
  return voice.words.join(deciding(outcome).map((one) => clause(one, taken)));
}

function clause({ key, held, args = {} }: Reason, taken: string): string {
  const what = key.replace(EITHER, "").replace("reason.", "");
  const elsewhere = what === "route" && !held && taken !== "";
  const said = `stt.because.${held ? "held" : "failed"}.${what}${elsewhere ? ".other" : ""}`;
  return voice.words.say(said, elsewhere ? { ...args, taken } : args);
}
