/* Messages with their arguments, in one language. Says what capolinea/words/speak.py says. */

import { message, type Message, type Slot, type Variants } from "./message";

export type Arguments = Record<string, unknown>;
export type Catalogue = Record<string, unknown>;

export class Words {
  private readonly understood = new Map<string, Message>();
  private readonly plural: Intl.PluralRules;
  private readonly entries: Catalogue;

  constructor(
    readonly lang: string,
    ...catalogues: Catalogue[]
  ) {
    this.entries = Object.assign(Object.create(null), ...catalogues) as Catalogue;
    this.plural = new Intl.PluralRules(lang);
  }

  has(key: string): boolean {
    return key in this.entries;
  }

  /** The message with its arguments; `names` are those of the seats. What is missing shows as ⟨key⟩. */
  say(key: string, args: Arguments = {}, names: readonly string[] = []): string {
    const entry = this.entry(key);
    if (entry === undefined) return `⟨${key}⟩`;
    try {
      return this.render(entry, args, names);
    } catch {
      return `⟨${key}⟩`;
    }
  }

  /** What there are no words for, as it comes: "Rolled (seat Ada, pips 3)". */
  plainly(key: string, args: Arguments = {}, names: readonly string[] = []): string {
    const one = (name: string, value: unknown): string => {
      if (Array.isArray(value)) return this.join(value.map((item) => one(name, item)));
      return (name === "seat" && names[value as number]) || String(value);
    };
    const what = readable(key.slice(key.indexOf(".") + 1));
    const told = Object.entries(args).map(([name, value]) => `${name} ${one(name, value)}`);
    return told.length ? `${what} (${told.join(", ")})` : what;
  }

  /** A form of a noun, or its plain form if it lacks that one. */
  word(key: string, form = ""): string {
    const entry = this.entry(key);
    if (entry === undefined) throw new Error(key);
    if (entry.kind === "noun") return entry.forms[form] ?? entry.forms[""]!;
    return this.render(entry, {}, []);
  }

  number(value: number): string {
    const digits = plain(value);
    const [whole = "", decimals] = digits.replace("-", "").split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, this.pattern("language.number.group"));
    const text = decimals ? grouped + this.pattern("language.number.decimal") + decimals : grouped;
    return digits.startsWith("-") ? `−${text}` : text;
  }

  /** Ada, Bruno and Carla. */
  join(items: readonly string[]): string {
    if (items.length < 2) return items[0] ?? this.pattern("language.list.none");
    const last = items[items.length - 1]!;
    let head = items[0]!;
    if (items.length === 2) return this.pattern("language.list.two", { a: head, b: last });
    for (const item of items.slice(1, -1))
      head = this.pattern("language.list.more", { a: head, b: item });
    return this.pattern("language.list.end", { a: head, b: last });
  }

  private entry(key: string): Message | undefined {
    let found = this.understood.get(key);
    if (found === undefined && key in this.entries) {
      found = message(this.entries[key]);
      this.understood.set(key, found);
    }
    return found;
  }

  private pattern(key: string, values: Record<string, string> = {}): string {
    const entry = this.entry(key);
    if (entry?.kind !== "template") throw new Error(key);
    return entry.parts
      .map((part) => (typeof part === "string" ? part : values[part.name]))
      .join("");
  }

  private render(entry: Message, args: Arguments, names: readonly string[]): string {
    if (entry.kind === "noun") return entry.forms[""]!;
    if (entry.kind === "variants") return this.render(this.choose(entry, args), args, names);
    return entry.parts
      .map((part) => (typeof part === "string" ? part : this.fill(part, args, names)))
      .join("");
  }

  private fill(slot: Slot, args: Arguments, names: readonly string[]): string {
    const value = argument(slot, args);
    if (!slot.many) return this.item(slot, value, names);
    if (!Array.isArray(value)) throw new Error(slot.name);
    return this.join(value.map((one: unknown) => this.item(slot, one, names)));
  }

  private item(slot: Slot, value: unknown, names: readonly string[]): string {
    switch (slot.space) {
      case "":
        if (typeof value === "string") return value;
        return this.number(Number(value));
      case "number":
        return this.number(Number(value));
      case "percent":
        return this.pattern("language.percent", { n: this.number(Number(value)) });
      case "text":
        return String(value);
      case "seat": {
        const name = names[Number(value)];
        if (name === undefined) throw new Error(slot.name);
        return name;
      }
    }
    return this.lookUp(slot, value);
  }

  private lookUp(slot: Slot, value: unknown): string {
    const name = String(value);
    const key = slot.space === "key" ? name : `${slot.space}.${name}`;
    return this.has(key) ? this.word(key, slot.form) : `⟨${key}⟩`;
  }

  private choose(entry: Variants, args: Arguments): Message {
    for (const wanted of [...this.wanted(entry.by, args), "other"]) {
      // It may be a stranger's word, also one that every object knows.
      if (Object.hasOwn(entry.cases, wanted)) return entry.cases[wanted]!;
    }
    throw new Error(entry.by.name);
  }

  /** What variants may be called that fit the argument, best first. */
  private wanted(by: Slot, args: Arguments): string[] {
    let value = argument(by, args);
    if (by.space) return [this.lookUp(by, value)];
    if (Array.isArray(value)) value = value.length; // "Ada pulls" but "Ada and Bruno pull"
    if (typeof value === "number") return [`=${plain(value)}`, this.plural.select(value)];
    return [String(value)];
  }
}

/** A name that only programs have for something, as people may read it: "open_vote" is "Open vote". */
export function readable(name: string): string {
  const words = name.replace(/[-_]/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function argument(slot: Slot, args: Arguments): unknown {
  const value = args[slot.name];
  if (value === undefined || value === null) throw new Error(slot.name);
  return value;
}

/** Digits as programs write them: at most three decimals, none that says nothing. */
function plain(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const text = value.toFixed(3).replace(/\.?0+$/, "");
  return text === "-0" ? "0" : text;
}
