/* Options as people read them, and as the server wants them: what differs from the preset. */

import type { Field, OwnData, RoomView, TitleView } from "../../generated/protocol";
import { same } from "../../lib/same";
import { name, say, tell, voice } from "../../lib/words/index.svelte";

export type Options = Record<string, unknown>;

/** What a table has that plays by this preset alone. */
export function presetOptions(title: TitleView, preset: string): Options {
  const usual = Object.fromEntries(title.fields.map((field) => [field.name, field.default]));
  return { ...usual, ...title.presets[preset] };
}

export function differing(fields: readonly Field[], options: Options, from: Options): Field[] {
  return fields.filter((field) => differs(field, options, from));
}

export function differs({ name: field }: Field, options: Options, from: Options): boolean {
  return !same(options[field], from[field]);
}

/** What to ask for so that these options come out; a file of one's own keeps its name. */
export function overrides(title: TitleView, room: RoomView, options: Options): Options {
  const usual = presetOptions(title, room.preset);
  const fields = title.fields.filter(
    (field) => room.data[field.name] || differs(field, options, usual),
  );
  return Object.fromEntries(fields.map((field) => [field.name, options[field.name]]));
}

/** One option in words: "Speed at departure: 90 km/h". */
export function inWords(field: Field, value: unknown, own?: OwnData): string {
  const label = name("option", field.name);
  if (own) {
    const about = own.about?.[0];
    const called = say("lobby.own", { name: own.name });
    return say("lobby.option", { label, value: about ? `${called} (${tell(about)})` : called });
  }
  if (value === true) return label;
  return say("lobby.option", { label, value: valueInWords(field, value) });
}

/** What an option does; "" if its title does not say. */
export function helpOf(field: Field): string {
  const key = `option.${field.name}.help`;
  return voice.words.has(key) ? voice.words.word(key) : "";
}

export function valueInWords(field: Field, value: unknown): string {
  const one = (choice: unknown) => name(`option.${field.name}`, String(choice));
  switch (field.kind) {
    case "switch":
      return say(value ? "part.yes" : "part.no");
    case "number":
      return voice.words.number(Number(value));
    case "choices":
      return Array.isArray(value) && value.length
        ? voice.words.join(value.map(one))
        : say("part.none");
    default:
      return one(value);
  }
}
