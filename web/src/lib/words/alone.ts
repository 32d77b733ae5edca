/* What the page can say before it has its words, and when they do not come. */

import { prefs, type Language } from "../prefs.svelte";

export const ALONE = {
  en: {
    missing: "A part of this page could not be loaded.",
    why: "There may be a newer version of it by now, or the network is slow.",
    looking: "The page is being loaded again …",
    unreached: "The server cannot be reached. Is the network there?",
    kept: "What you have written stays. A choice that you have not confirmed is made anew.",
    again: "Load again",
    later: "Not now",
  },
  it: {
    missing: "Non è stato possibile caricare una parte di questa pagina.",
    why: "Forse c’è già una versione più nuova, o la rete è lenta.",
    looking: "La pagina si ricarica…",
    unreached: "Il server non risponde. C’è la rete?",
    kept: "Quello che hai scritto rimane. Una scelta non ancora confermata va rifatta.",
    again: "Ricarica",
    later: "Non ora",
  },
  de: {
    missing: "Ein Teil dieser Seite ließ sich nicht laden.",
    why: "Vielleicht gibt es inzwischen eine neuere Fassung, oder das Netz ist langsam.",
    looking: "Die Seite wird neu geladen …",
    unreached: "Der Server ist nicht zu erreichen. Ist das Netz da?",
    kept: "Was du geschrieben hast, bleibt. Eine Wahl, die du noch nicht bestätigt hast, triffst du neu.",
    again: "Neu laden",
    later: "Nicht jetzt",
  },
} satisfies Record<Language, Record<string, string>>;

export function alone(key: keyof (typeof ALONE)["en"]): string {
  return (ALONE[prefs.lang] ?? ALONE.en)[key];
}
