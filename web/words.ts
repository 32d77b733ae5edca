/* The catalogues have words for the terminal, too: more than half of the common ones. Pages go without. */

import type { Plugin } from "vite";

/** What only the command line, the laboratory and the set-up say: `help.port` and so on. */
const TERMINAL = [
  "admin",
  "check",
  "cli",
  "conform",
  "fault",
  "help",
  "meta",
  "page",
  "play",
  "prepare",
  "result",
  "settings",
  "simulate",
  "titles",
  "usage",
  "verify",
];
/** A title that lacks something is told so by whatever wanted it. */
const EVERYWHERE = /\.not-written$/;

export function isForTerminal(key: string): boolean {
  return TERMINAL.includes(key.split(".")[0]!) && !EVERYWHERE.test(key);
}

export function words(): Plugin {
  return {
    name: "words",
    enforce: "pre",
    transform: {
      filter: { id: /\/capolinea\/words\/\w\w\.json$/ },
      handler(text) {
        const all = Object.entries(JSON.parse(text) as Record<string, unknown>);
        return JSON.stringify(Object.fromEntries(all.filter(([key]) => !isForTerminal(key))));
      },
    },
  };
}
