/* What every step of a turn is given. */

import { tell } from "../../../lib/words/index.svelte";
import type { Chart } from "../chart";
import type { Offers } from "../offers.svelte";
import type { Picking } from "../picking.svelte";
import { doing } from "../stage";
import type { Acting, Action, Sight } from "../types";
import type { Deed } from "./Step.svelte";

export interface StepProps {
  sight: Sight;
  acting: Acting;
  hint: readonly Action[] | null;
  chart: Chart | null;
  offers: Offers;
}

/** The button that does this at once, if it may be done. */
export function deed(props: StepProps, picking: Picking, what: Action["do"]): Deed[] {
  const choice = doing(props.offers.choices, what);
  if (!choice) return [];
  return [
    {
      label: tell(choice.line, props.sight.names),
      act: () => void picking.send(props.acting, [choice.do]),
      hinted: props.offers.hinted === choice,
    },
  ];
}
