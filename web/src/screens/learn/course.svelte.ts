/* Going through a lesson: where the learner is, what they may do there, and what follows. Whatever is
   tried, nothing breaks: only the move of the lesson leads on. */

import type { Asked, Line, Private, Told, Why } from "../../generated/protocol";
import { same } from "../../lib/same";
import { Refused } from "../../lib/refused";
import type { Action } from "../../lib/seat.svelte";
import type { Acting, Sight } from "../../lib/sight";
import {
  fits,
  foreseen,
  lines,
  narrowed,
  open,
  ownLine,
  refusal,
  retold,
  scenes,
  type Lesson,
  type Shown,
  type Stop,
} from "./lesson";
import { recall, remember } from "./progress";

/** Not asked: the others move, or there is something to read. */
const NOTHING: Asked = { id: 0, must: false, choices: [], undo: 0 };
/** How long a step of the others stays: as long as it takes to read, within reason. */
const GLANCE = 1000;
const PER_LETTER = 16;
const LONGEST = 3200;

export class Course {
  readonly scenes: Shown[];
  at = $state(0);
  reached = $state(0);
  /** Which frame is shown: on the way to the next stop it runs ahead of `at`. */
  frame = $state(0);
  running = $state(false);
  /** Something else was tried, or said at a time when something else is asked. */
  remark = $state<"" | "other" | "not-now">("");
  /** What to tap is shown. */
  hinted = $state(false);
  private tries = $state(0);
  private own = $state.raw<Private>({
    notes: "",
    passes: [],
    webhook: "",
    held: [],
    held_question: 0,
  });
  /** What the learner said in their own words, for what the record has in its place. */
  private words = $state.raw<{ from: Line; to: Line }[]>([]);
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly stop: Stop = $derived.by(() => this.lesson.stops[this.at]!);
  readonly last: boolean = $derived.by(() => this.at === this.lesson.stops.length - 1);
  /** There is something to do here, and it is not done yet. */
  readonly asked: boolean = $derived.by(
    () => !this.running && (this.stop.do !== undefined || this.stop.said !== undefined),
  );
  /** On without doing it: there is nothing to do, or it was done before. */
  readonly free: boolean = $derived.by(
    () => !this.last && (!this.asked || this.at < this.reached || this.stop.optional === true),
  );
  readonly question: Asked = $derived.by(() => this.questionHere());
  /** What just happened, while the others move. */
  readonly events: Told[] = $derived.by(() =>
    retold(this.lesson.frames[this.frame]!.events, this.words),
  );
  /** The move to make, in words. */
  readonly tap: Line[] = $derived.by(() =>
    this.stop.question && this.stop.do ? lines(this.stop.question, this.stop.do) : [],
  );

  constructor(
    readonly lesson: Lesson,
    /** How quickly the others move: at once where nothing is to move. */
    private readonly moves: () => boolean,
    /** How long the words of a frame are. */
    private readonly length: (events: Told[]) => number,
  ) {
    this.scenes = scenes(lesson);
    const { stop, reached } = recall(lesson.title);
    this.reached = Math.min(reached, lesson.stops.length - 1);
    this.arrive(Math.min(stop, this.reached));
  }

  // --- going about --------------------------------------------------------------------------------

  next(): void {
    if (this.running) this.hurry();
    else if (this.free && this.at < this.reached && this.asked) this.arrive(this.at + 1);
    else if (this.free) this.run();
  }

  back(): void {
    if (this.running) this.arrive(this.at);
    else if (this.at > 0) this.arrive(this.at - 1);
  }

  restart(): void {
    this.reached = 0;
    this.words = [];
    this.arrive(0);
  }

  /** What to tap; and asked again, it is done. */
  help(): void {
    if (!this.asked) return;
    if (this.hinted) this.run();
    else this.hinted = true;
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private arrive(at: number): void {
    clearTimeout(this.timer);
    this.running = false;
    this.at = at;
    this.frame = this.stop.frame;
    this.remark = "";
    this.hinted = false;
    this.reached = Math.max(this.reached, at);
    const { title } = this.lesson;
    const done = this.last || recall(title).done;
    // Whoever has seen the end and comes again begins again.
    remember(title, { stop: this.last ? 0 : at, reached: this.reached, done });
  }

  /** The others move, one thing after the other, until there is something to say again. */
  private run(): void {
    const there = this.lesson.stops[this.at + 1];
    if (!there) return;
    this.remark = "";
    this.hinted = false;
    // What was skipped is not shown either: the last frame is a leap.
    const shown = there.later === undefined ? there.frame : there.frame - 1;
    if (this.frame >= shown || !this.moves()) return this.arrive(this.at + 1);
    this.running = true;
    this.step(shown);
  }

  private step(shown: number): void {
    if (this.frame >= shown) return this.arrive(this.at + 1);
    this.frame += 1;
    if (!this.events.length) return this.step(shown);
    const time = Math.min(GLANCE + PER_LETTER * this.length(this.events), LONGEST);
    this.timer = setTimeout(() => this.step(shown), time);
  }

  private hurry(): void {
    this.arrive(this.at + 1);
  }

  // --- what the board gets ------------------------------------------------------------------------

  private questionHere(): Asked {
    const { question, do: steps } = this.stop;
    // Another number: what was begun before it is no answer to this.
    const id = 1000 * (this.at + 1) + 2 * this.tries + (this.hinted ? 1 : 0);
    if (!question || !steps || this.running) return { ...NOTHING, id };
    return { ...(this.hinted ? narrowed(question, steps) : question), id };
  }

  sight(name: string): Sight {
    const { lesson } = this;
    return {
      title: lesson.title,
      code: "",
      match: `learn-${lesson.title}`,
      names: lesson.names.map((one, seat) => (seat === lesson.seat && name ? name : one)),
      number: lesson.seat,
      scene: { ...retold(this.scenes[this.frame]!, this.words), question: this.question },
      happened: lesson.frames
        .slice(0, this.frame + 1)
        .map(({ events }, number) => ({ n: number + 1, events: retold(events, this.words) })),
      own: this.own,
    };
  }

  get acting(): Acting {
    return {
      must: this.question.must,
      sending: 0,
      do: (steps) => Promise.resolve(this.tried(same(steps, this.stop.do))),
      say: (said) => Promise.resolve(this.spoken(said)),
      preview: <T>(steps: Action[]) => {
        const why = refusal(this.stop, steps) ?? this.elsewhere(steps);
        if (why) return Promise.reject<T>(new Refused(why));
        return Promise.resolve(foreseen(this.stop, steps) as T);
      },
      keep: (changes) => Promise.resolve((this.own = { ...this.own, ...changes })),
    };
  }

  /** The rules have nothing against it, but only what is meant can be chosen now. */
  private elsewhere(steps: readonly Action[]): Why | null {
    const all = this.stop.question;
    if (!all || !this.hinted || open(this.question, steps)) return null;
    return open(all, steps) ? { key: "learn.elsewhere" } : null;
  }

  private tried(right: boolean): void {
    if (this.running) return;
    if (right) return this.run();
    this.tries += 1;
    this.remark = "other";
    this.hinted = true;
  }

  private spoken(said: unknown): void {
    const { stop } = this;
    if (stop.said === undefined) this.remark = "not-now";
    else {
      const to = ownLine(said, stop);
      if (to && fits(said, stop)) {
        this.words = [
          ...this.words.filter(({ from }) => from !== stop.line),
          { from: stop.line!, to },
        ];
      }
      this.tried(fits(said, stop));
    }
  }
}
