/* Lessons as tools/tutorials.py makes them: a match seen by its learner, and where it halts. */

import { isObject } from "../../lib/json";
import type { Asked, Line, Scene, Told, Why } from "../../generated/protocol";
import { patched, type Change } from "../../lib/delta";
import { same } from "../../lib/same";
import type { Action } from "../../lib/seat.svelte";
import type { Catalogue } from "../../lib/words/speak";

export interface Stop {
  /** What the table looks like: the number of the frame. */
  frame: number;
  say: Line;
  /** What it is about: "map", "hand", "players", "end", or the id of one of the board's drawers. */
  point: string;
  /** So many turns or rounds were skipped on the way here. */
  later?: number;
  counts?: "turns" | "rounds";
  /** The move to make, with all that could be done instead, and what each would come to. */
  do?: Action[];
  question?: Asked;
  previews?: Record<string, object>;
  /** What cannot come after a step, and why; what the steps say themselves is not in the reasons. */
  refusals?: { after: Action; why: Why; steps: Action[] }[];
  /** Or what to say, and the line that it makes. */
  said?: unknown;
  line?: Line;
  /** Whatever of its kind will do. */
  any?: boolean;
  /** What the learner says instead makes another line: of free text, or a ready-made one about cards,
      with what it calls them. */
  worded?: { text: string; cards: string[] };
  /** One may go on without it. */
  optional?: boolean;
}

export interface Lesson {
  title: string;
  seat: number;
  names: string[];
  frames: { events: Told[]; delta: Change[] }[];
  stops: Stop[];
  texts: Record<string, Catalogue>;
}

/** A scene without the question: that one depends on where the learner is. */
export type Shown = Omit<Scene, "question">;

const LESSONS = import.meta.glob<{ default: Lesson }>("../../generated/tutorial-*.json");
const WORDS = import.meta.glob<{ default: Catalogue }>(
  "../../../../src/capolinea/games/*/tutorial/words/??.json",
);

/** The titles that have a lesson. */
export const TAUGHT: readonly string[] = Object.keys(LESSONS).map(
  (path) => /tutorial-(.+)\.json$/.exec(path)![1]!,
);

export async function load(title: string): Promise<Lesson | null> {
  const file = LESSONS[`../../generated/tutorial-${title}.json`];
  return file ? (await file()).default : null;
}

/** What the lesson says in a language, with the names of its places. */
export async function words(lesson: Lesson, lang: string): Promise<Catalogue> {
  const end = `/games/${lesson.title.replaceAll("-", "_")}/tutorial/words/${lang}.json`;
  const file = Object.entries(WORDS).find(([path]) => path.endsWith(end));
  return { ...lesson.texts[lang], ...(file ? (await file[1]()).default : {}) };
}

/** Every scene once: going back is as quick as going on. */
export function scenes(lesson: Lesson): Shown[] {
  let scene: unknown = {};
  return lesson.frames.map((frame) => (scene = patched(scene, frame.delta)) as Shown);
}

/** What these steps would do: what is not told of them is as with no step taken. */
export function foreseen({ previews = {} }: Stop, steps: readonly Action[]): unknown {
  const found = previews[JSON.stringify(steps)];
  return found ? { ...previews["[]"], ...found } : { lines: [] };
}

/** Why these steps cannot be, as far as anybody may try them. */
export function refusal(
  { refusals = [] }: Stop,
  [first, step, ...rest]: readonly Action[],
): Why | null {
  if (!step || rest.length) return null;
  const found = refusals.find(
    ({ after, steps }) => same(after, first) && steps.some((one) => same(one, step)),
  );
  if (!found) return null;
  const own = Object.entries(step).filter(([name]) => name !== "do");
  return { ...found.why, args: { ...Object.fromEntries(own), ...found.why.args } };
}

/** Whether these steps, or a beginning of them, are among the choices. */
export function open(
  { choices }: Pick<Asked, "choices">,
  [step, ...rest]: readonly Action[],
): boolean {
  if (!step) return true;
  const found = choices.find((choice) => same(choice.do, step));
  return found !== undefined && open({ choices: found.then ?? [] }, rest);
}

/** Whether this may be said where the lesson has something to be said. */
export function fits(said: unknown, stop: Stop): boolean {
  if (!stop.any || !isObject(said) || !isObject(stop.said)) return within(said, stop.said);
  return Object.keys(said).join() === Object.keys(stop.said).join();
}

/** The line that the learner's own plea makes, if it can be told. */
export function ownLine(said: unknown, { worded, line }: Stop): Line | null {
  const content = isObject(said) ? Object.values(said)[0] : null;
  if (!worded || !line) return null;
  const seat = line.args?.seat;
  if (typeof content === "string") return { key: worded.text, args: { seat, text: content } };
  if (!isObject(content) || !Array.isArray(content.cards)) return null;
  const cards = content.cards.map((card: unknown, at) => [worded.cards[at], card]);
  return { key: String(content.line), args: { seat, ...Object.fromEntries(cards) } };
}

/** The same with some lines exchanged for others, wherever they stand. */
export function retold<T>(part: T, lines: readonly { from: Line; to: Line }[]): T {
  if (!lines.length || typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map((inner: unknown) => retold(inner, lines)) as T;
  const { key, args }: Partial<Line> = part;
  const found = lines.find(({ from }) => from.key === key && same(from.args, args));
  if (found) return { ...part, ...found.to };
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]: [string, unknown]) => [name, retold(inner, lines)]),
  ) as T;
}

/** Whether all that is said is also in what was to be said; cards may come in any order. */
export function within(said: unknown, expected: unknown): boolean {
  if (Array.isArray(said) && Array.isArray(expected)) {
    return [...said].sort().join() === [...expected].sort().join();
  }
  if (!isObject(said) || !isObject(expected)) return said === expected;
  return Object.entries(said).every(([name, part]) => within(part, expected[name]));
}

/** The choices with nothing left in them but these steps: only what is meant glows. */
export function narrowed(asked: Asked, steps: readonly Action[]): Asked {
  return { ...asked, choices: only(asked.choices, steps) };
}

function only(choices: Asked["choices"], steps: readonly Action[]): Asked["choices"] {
  const [step, ...rest] = steps;
  const found = choices.find((choice) => same(choice.do, step));
  if (!found) return [];
  return [rest.length ? { ...found, then: only(found.then ?? [], rest) } : found];
}

/** The steps of a move in words. */
export function lines(asked: Asked, steps: readonly Action[]): Line[] {
  const choice = only(asked.choices, steps)[0];
  if (!choice) return [];
  return [choice.line, ...lines({ ...asked, choices: choice.then ?? [] }, steps.slice(1))];
}
