/* Most of the page is loaded when it is needed. An update takes away the parts that an open tab knows by
   name, and in a bad network they do not come. Then the page is loaded again, once by itself; if that does
   not help, it is said, and loaded again when somebody wants it. */

import { parsed } from "./json";
import { keepDrafts } from "./draft";
import { settled } from "./unanswered";

/** The versions of the page that this tab has loaded again already: no page reloads for ever. */
const TRIED = "capolinea-tried";
/** So long whoever is asked may take to answer. */
const PATIENCE = 10_000;

class Missing {
  /** What is to be said about it: nothing is missing; we look; somebody is asked; nobody answers. */
  now = $state<"" | "looking" | "asking" | "unreached">("");
  /** Somebody wants the page loaded again. */
  private wanted = false;

  /** For the whole page: everything that it loads later comes through here. */
  watch(): void {
    const told = new WeakSet<Error>();
    addEventListener("vite:preloadError", ({ payload }) => {
      told.add(payload);
      if (this.now) return;
      this.wanted = false;
      if (tried().includes(version())) this.now = "asking";
      else void this.load();
    });
    // Whoever waits for that part need not say it once more.
    addEventListener("unhandledrejection", (event) => {
      if (event.reason instanceof Error && told.has(event.reason)) event.preventDefault();
    });
    addEventListener("online", () => {
      if (this.now === "unreached") void this.load();
    });
  }

  again = (): void => {
    this.wanted = true;
    void this.load();
  };

  /** What is there does for now. */
  dismiss(): void {
    this.now = "";
  }

  /** Load the page again. Where nobody answers it stays as it is: a browser's own error page has no way back. */
  private async load(): Promise<void> {
    this.now = "looking";
    if (!(await answered())) {
      this.now = "unreached";
      return;
    }
    await settled(PATIENCE); // what was done is not lost by it
    if (!note() && !this.wanted) {
      this.now = "asking"; // by itself it would do so for ever
      return;
    }
    keepDrafts();
    location.reload();
  }
}

export const missing = new Missing();

/** The script that the page began with: its name changes with every change of any part. */
function version(): string {
  return document.querySelector<HTMLScriptElement>("script[src]")?.src ?? "";
}

function tried(): string[] {
  try {
    return parsed<string[]>(sessionStorage.getItem(TRIED) ?? "[]");
  } catch {
    return [version()]; // a browser that keeps nothing: we would not know when to stop
  }
}

/** Whether it is known after the reload that there was one. */
function note(): boolean {
  try {
    sessionStorage.setItem(TRIED, JSON.stringify([...tried(), version()]));
    return true;
  } catch {
    return false; // a browser that keeps nothing, or nothing more
  }
}

async function answered(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    return (await fetch("/", { method: "HEAD", cache: "no-store", signal })).ok;
  } catch {
    return false;
  }
}
