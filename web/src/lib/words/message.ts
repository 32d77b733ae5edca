/* What an entry of a catalogue can be. The same grammar as capolinea/words/message.py. */

export interface Slot {
  name: string;
  space: string;
  form: string;
  many: boolean;
}

export type Template = { kind: "template"; parts: (string | Slot)[] };
export type Noun = { kind: "noun"; forms: Record<string, string> };
export type Variants = { kind: "variants"; by: Slot; cases: Record<string, Message> };
export type Message = Template | Noun | Variants;

const SLOT = /^([a-z][a-z0-9_]*)(?::(?=.)([a-z][a-z0-9_.-]*)?(?:\/([a-z][a-z0-9_-]*))?(\+)?)?$/;
const TOKEN = /(\{\{|\}\}|\{[^{}]*\}|[{}])/;

export function message(raw: unknown): Message {
  if (typeof raw === "string") return template(raw);
  const entry = raw as Record<string, unknown>;
  if ("by" in entry) {
    const { by, ...cases } = entry;
    return {
      kind: "variants",
      by: slot(String(by)),
      cases: Object.fromEntries(Object.entries(cases).map(([name, one]) => [name, message(one)])),
    };
  }
  const forms = Object.entries(entry).map(([form, text]) => [form, plainText(String(text))]);
  return { kind: "noun", forms: Object.fromEntries(forms) };
}

function template(text: string): Template {
  const parts: (string | Slot)[] = [];
  for (const token of text.split(TOKEN)) {
    if (!token) continue;
    const literal = token === "{{" || token === "}}" ? token[0]! : token;
    const last = parts[parts.length - 1];
    if (token.startsWith("{") && token.endsWith("}") && token.length > 2) {
      parts.push(slot(token.slice(1, -1)));
    } else if (typeof last === "string") {
      parts[parts.length - 1] = last + literal;
    } else {
      parts.push(literal);
    }
  }
  return { kind: "template", parts };
}

function slot(text: string): Slot {
  const found = SLOT.exec(text);
  if (!found) throw new Error(`{${text}} is not a slot`);
  return {
    name: found[1]!,
    space: found[2] ?? "",
    form: found[3] ?? "",
    many: found[4] !== undefined,
  };
}

function plainText(text: string): string {
  return template(text).parts.map(String).join("");
}
