/* "What is this?": a long press, the right mouse button, the key "?", or a tap while the question
   mark is on. One thing at a time is explained, in a place that covers nothing that is asked. */

import type { Action } from "svelte/action";
import { ofSeat } from "../lib/begun";

export interface Thing {
  title: string;
  text: string;
}

export class Asking {
  /** The next tap asks instead of doing. */
  on = $state(false);
  shown = $state.raw<Thing | null>(null);

  show(thing: Thing): void {
    this.shown = thing;
    this.on = false;
  }
}

const LONG = 500;

/** Have things explain themselves to who looks at them: for `use:`. */
export function explaining(): Action<HTMLElement | SVGElement, () => Thing> {
  const asking = ofSeat(Asking);
  return (node, thing) => about(asking, node, thing);
}

function about(
  asking: Asking,
  node: HTMLElement | SVGElement,
  thing: () => Thing,
): { update: (thing: () => Thing) => void; destroy: () => void } {
  let explain = thing;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pressed = false;
  const listening = new AbortController();
  const options = { signal: listening.signal };

  const tell = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    asking.show(explain());
  };
  const click = (event: Event) => {
    if (asking.on) tell(event);
    else if (pressed) event.stopPropagation(); // the end of a long press does nothing else
    pressed = false;
  };
  const stop = () => clearTimeout(timer);
  const down = () => {
    stop();
    pressed = false;
    timer = setTimeout(() => {
      pressed = true;
      asking.show(explain());
    }, LONG);
  };
  const key = (event: Event) => {
    if (event instanceof KeyboardEvent && event.key === "?") tell(event);
  };

  node.addEventListener("click", click, { ...options, capture: true });
  node.addEventListener("contextmenu", tell, options);
  node.addEventListener("pointerdown", down, options);
  for (const end of ["pointerup", "pointercancel", "pointerleave"])
    node.addEventListener(end, stop, options);
  node.addEventListener("keydown", key, options);
  return {
    update: (next) => (explain = next),
    destroy: () => {
      stop();
      listening.abort();
    },
  };
}
