/* What things are, in the words of the title: for "what is this". */

import { name, say } from "../../lib/words/index.svelte";
import type { Thing } from "../../parts/about.svelte";
import { mission, type TrainView } from "./view";

export const things = {
  effect: (id: string): Thing => ({ title: name("effect", id), text: name("effect-text", id) }),
  card: (id: string): Thing => ({ title: name("card", id), text: name("card-text", id) }),
  role: (view: TrainView, id: string): Thing => ({
    title: name("role", id),
    text: name("role-text", mission(view, id)),
  }),
  place: (title: string, kind: string): Thing => ({
    title: title || name("feature-kind", kind),
    text: name("feature-kind-text", kind),
  }),
  speed: (view: TrainView): Thing => ({
    title: say("stt.speed"),
    text: say("stt.speed.text", { least: view.slowest, most: view.fastest }),
  }),
  permit: (): Thing => ({ title: say("stt.permit"), text: say("stt.permit.text") }),
};
