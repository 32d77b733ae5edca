/* How far somebody has come in each lesson, remembered in this browser. */

import { kept } from "../../lib/json";

export interface Progress {
  /** The stop where they are, and the furthest one that they have seen. */
  stop: number;
  reached: number;
  done: boolean;
}

const KEY = "capolinea.learn";
const NONE: Progress = { stop: 0, reached: 0, done: false };

export function recall(title: string): Progress {
  return { ...NONE, ...all()[title] };
}

export function remember(title: string, progress: Progress): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [title]: progress }));
  } catch {
    // A browser that keeps nothing: it lasts as long as the page.
  }
}

/** From the beginning again; that the end was seen stays so. */
export function forget(title: string): void {
  remember(title, { ...NONE, done: recall(title).done });
}

function all(): Record<string, Partial<Progress>> {
  return kept(KEY, {});
}
