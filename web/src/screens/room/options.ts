/* Options as people read them, and as the server wants them: what differs from the preset. */

import type { Field, TitleView } from "../../generated/protocol";
import { same } from "../../lib/same";
import { name, say, voice } from "../../lib/words/index.svelte";

export type Options = Record<string, unknown>;

/** What a table has that plays by this preset alone. */
export function presetOptions(title: TitleView, preset: string): Options {
  const usual = Object.fromEntries(title.fields.map((field) => [field.name, field.default]));
  return { ...usual, ...title.presets[preset] };
}

export function differing(fields: readonly Field[], options: Options, from: Options): Field[] {
  return fields.filter((field) => !same(options[field.name], from[field.name]));
}

/** What to ask for so that these options come out. */
export function overrides(title: TitleView, preset: string, options: Options): Options {
  const fields = differing(title.fields, options, presetOptions(title, preset));
  return Object.fromEntries(fields.map((field) => [field.name, options[field.name]]));
}

/** One option in words: "Speed at departure: 90 km/h". */
export function inWords(field: Field, value: unknown): string {
  const label = name("option", field.name);
  if (value === true) return label;
  return say("lobby.option", { label, value: valueInWords(field, value) });
}

export function valueInWords(field: Field, value: unknown): string {
  const one = (choice: unknown) => name(`option.${field.name}`, String(choice));
  switch (field.kind) {
    case "switch":
      return say(value ? "part.yes" : "part.no");
    case "number":
      return voice.words.number(value as number);
    case "choices":
      return (value as string[]).length
        ? voice.words.join((value as string[]).map(one))
        : say("part.none");
    default:
      return one(value);
  }
}
