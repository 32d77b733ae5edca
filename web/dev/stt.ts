/* Scenes of kept games in the real shell, for looking at: ?scene=play&lang=it&theme=dark. Not built. */

import { mount } from "svelte";
import "../src/generated/fonts/barlow.css";
import "../src/generated/fonts/barlow-condensed.css";
import "../src/generated/fonts/josefin-sans.css";
import "../src/tokens.css";
import { prefs } from "../src/lib/prefs.svelte";
import type { Action, Seat } from "../src/lib/seat.svelte";
import { voice } from "../src/lib/words/index.svelte";
import Shell from "../src/screens/table/Shell.svelte";
import board from "../src/titles/stop-the-train/board";
import { trackOf } from "../src/titles/stop-the-train/track";

const asked = new URLSearchParams(location.search);
const scenes = import.meta.glob("../tests/stop-the-train/scenes/*.json");
const name = asked.get("scene") ?? "play";
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as the table sends it
const kept = ((await scenes[`../tests/stop-the-train/scenes/${name}.json`]!()) as any).default;

prefs.lang = asked.get("lang") ?? "en";
const root = document.documentElement;
root.lang = prefs.lang;
root.dataset.theme = asked.get("theme") ?? "light";
if (asked.get("text")) root.dataset.text = asked.get("text")!;

const sight = { code: "", match: "dev", ...kept };
const acting = {
  must: sight.scene.question?.must ?? false,
  sending: 0,
  do: (steps: Action[]) => Promise.resolve(console.log("do", JSON.stringify(steps))), // eslint-disable-line no-console
  say: (said: unknown) => Promise.resolve(console.log("say", JSON.stringify(said))), // eslint-disable-line no-console
  preview: (steps: Action[]) => {
    const found = kept.previews[JSON.stringify(steps)];
    return found ? Promise.resolve(found) : Promise.reject(new Error("no preview"));
  },
  keep: (changes: unknown) => Promise.resolve(console.log("keep", JSON.stringify(changes))), // eslint-disable-line no-console
};
const seat = {
  ...acting,
  code: "",
  seat: sight.number,
  number: sight.number,
  title: sight.title,
  match: "dev",
  names: sight.names,
  scene: sight.scene,
  own: sight.own,
  chat: [],
  happened: sight.happened,
  link: "open",
  room: null,
  status: {
    t: "status",
    match: "dev",
    present: sight.names.map((_: string, i: number) => i),
    left: {},
  },
  statusAt: Date.now(),
  question: sight.scene.question,
};

const track = await trackOf(sight);
const own: Record<string, string> = {};
for (const [id, section] of Object.entries(track.sections))
  section.features.forEach((feature, i) => (own[`feature.${id}.${i}`] = feature.name[prefs.lang]!));
await voice.load(prefs.lang, "stop-the-train", own);

const watching = sight.scene.result || sight.number === null;
mount(Shell, {
  target: document.getElementById("app")!,
  props: { seat: seat as unknown as Seat, sight, acting: watching ? null : acting, board },
});
root.dataset.ready = "yes";
