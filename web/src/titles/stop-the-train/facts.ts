/* What everybody can see to be left, in words. */

import { say } from "../../lib/words/index.svelte";
import { box, farToParis, type TrainView } from "./view";

export interface Fact {
  label: string;
  value: string | number;
}

export function cards(view: TrainView): Fact[] {
  return [
    { label: say("stt.deck"), value: view.deck },
    { label: say("stt.discards"), value: view.discards },
  ];
}

/** The permits that the organiser has. */
export function permits(view: TrainView): Fact {
  return { label: say("stt.organiser"), value: view.organiser };
}

export function record(view: TrainView): Fact {
  const broken = view.records.length > 0;
  return {
    label: say("stt.record"),
    value: say(broken ? "stt.record.broken" : "stt.record.unbroken"),
  };
}

/** How far it still is: to the signal box, as long as it lies ahead, and to Paris. */
export function distances(view: TrainView): Fact[] {
  const left = box(view) - view.at;
  return [
    ...(!view.route && left > 0 ? [{ label: say("stt.to-box"), value: left }] : []),
    { label: say("stt.paris"), value: farToParis(view) },
  ];
}
