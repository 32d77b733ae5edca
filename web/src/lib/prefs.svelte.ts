/* What a person likes, remembered in this browser. */

import { kept } from "./json";

export const LANGUAGES = ["en", "it", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
export type Theme = "auto" | "light" | "dark";

interface Prefs {
  lang: Language;
  name: string;
  theme: Theme;
  sound: boolean;
  motion: "auto" | "none";
  contrast: "normal" | "more";
  text: "normal" | "large" | "larger";
  patterns: boolean;
  /** How much of what happens is read out. */
  narration: "all" | "mine" | "none";
}

const KEY = "capolinea";

function guess(): Language {
  for (const wanted of navigator.languages ?? [navigator.language]) {
    const lang = LANGUAGES.find((one) => one === wanted.slice(0, 2).toLowerCase());
    if (lang) return lang;
  }
  return "en";
}

function load(): Prefs {
  const usual: Prefs = {
    lang: guess(),
    name: "",
    theme: "auto",
    sound: false,
    motion: "auto",
    contrast: "normal",
    text: "normal",
    patterns: false,
    narration: "all",
  };
  return { ...usual, ...kept<Partial<Prefs>>(KEY, {}) };
}

export const prefs = $state(load());

/** Keep them, and have the page follow: the style sheets read these attributes. */
export function follow(): void {
  $effect(() => {
    const root = document.documentElement;
    root.lang = prefs.lang;
    root.dataset.theme = prefs.theme;
    root.dataset.motion = prefs.motion;
    root.dataset.contrast = prefs.contrast;
    root.dataset.text = prefs.text;
    try {
      localStorage.setItem(KEY, JSON.stringify(prefs));
    } catch {
      // A browser that keeps nothing: it lasts as long as the page.
    }
  });
}

/** Whether things may move. */
export function moves(): boolean {
  return prefs.motion === "auto" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
