/* What somebody has written and not sent, over a page that must be loaded again. It is kept in this tab
   alone, and only for that moment: each field takes back what was its own. */

import type { ActionReturn } from "svelte/action";

type Field = HTMLInputElement | HTMLTextAreaElement;

const KEY = "capolinea-drafts";
// What nobody has taken back yet, by name; and the fields that there are.
const kept = takeOut();
const fields = new Map<Field, string>();

function takeOut(): Map<string, string> {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as [string, string][];
    sessionStorage.removeItem(KEY);
    return new Map(found);
  } catch {
    return new Map(); // a browser that keeps nothing
  }
}

/** Just before the page is loaded again. */
export function keepDrafts(): void {
  for (const [field, name] of fields) {
    const text = field.value || field.dataset.going;
    if (text) kept.set(name, text);
  }
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...kept]));
  } catch {
    // A browser that keeps nothing.
  }
}

/** For fields to write in; what is sent and not answered yet stands in `data-going`. The name says whose it
    is: at a table, which seat's of which match, and for whom. */
export function draft(field: Field, name: string): ActionReturn<string> {
  takeBack(field, name);
  return {
    update(name) {
      if (field.value) fields.set(field, name);
      else takeBack(field, name);
    },
    destroy: () => void fields.delete(field),
  };
}

function takeBack(field: Field, name: string): void {
  fields.set(field, name);
  const before = kept.get(name);
  kept.delete(name);
  if (!before) return;
  field.value = before;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
