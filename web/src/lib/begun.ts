/* What somebody has begun and not sent (steps of a choice, what they would do, what lies open) belongs to
   one seat of one match. It lives in Svelte's context, below what shows that seat, and dies with it: the
   next person at this screen, the next match and the next room begin with nothing. No module keeps it. */

import { getContext, setContext } from "svelte";

type Kind<T> = new () => T;

/** All that is begun in one seat: one of each kind, which the parts of its board share. */
export class Begun {
  private readonly kinds = new Map<Kind<unknown>, unknown>();

  of<T>(kind: Kind<T>): T {
    if (!this.kinds.has(kind)) this.kinds.set(kind, new kind());
    return this.kinds.get(kind) as T;
  }
}

export const BEGUN = Symbol("begun");

/** For what shows a seat: nothing is begun in it yet. */
export function begin(): void {
  setContext(BEGUN, new Begun());
}

/** What of this kind belongs to the seat that is shown. */
export function ofSeat<T>(kind: Kind<T>): T {
  return getContext<Begun>(BEGUN).of(kind);
}
