/* A seat at a table, or a place to watch from. It keeps what can be seen up to date, and sends again what was
   not answered. How what is said comes through is its transport's business. */

import type {
  Asked,
  Chat,
  ClientMessage,
  Line,
  Private,
  Reading,
  RoomView,
  Scene,
  ServerMessage,
  Status,
  Told,
  Why,
} from "../generated/protocol";
import { answered, bare, kept } from "./aside";
import { patched } from "./delta";
import type { Readers } from "./letter.svelte";
import { ofAll, withLine } from "./lines";
import { present } from "./presence";
import { Refused } from "./refused";
import type { Connect, Transport } from "./transport";
import { unanswered } from "./unanswered";

export type Action = Record<string, unknown>;
/** "away": the network or the server is gone, and we are trying to come back. */
export type Link = "connecting" | "open" | "away" | "closed";

export interface Happened {
  n: number;
  events: Told[];
}

/** So long an answer is waited for before it is asked for on another connection; then twice as long, and so
    long at most. */
const ANSWER = 2500;
const LONGEST = 9000;
/** Reasons not to be let in that may be gone the next time. */
const PASSING = [
  "table.not-kept",
  "table.not-read",
  "serve.busy",
  "serve.too-slow",
  "serve.our-fault",
];

/** What is asked for only to be looked at. */
const LOOKS = /^\{"t":"(preview|read|hint)"/;

/** What the bot would do, and which question that answers. */
interface Advice {
  question: number;
  do: Action[];
  lines: Line[];
}

interface Waiting {
  text: string;
  /** Whether the answer takes thought: then it comes when it comes. */
  patient: boolean;
  tries: number;
  timer?: ReturnType<typeof setTimeout>;
  done: (message: ServerMessage) => void;
  failed: (error: Error) => void;
}

export class Seat {
  link = $state<Link>("connecting");
  room = $state.raw<RoomView | null>(null);
  match = $state("");
  title = $state("");
  /** Which seat of the match this is; null watches. */
  number = $state<number | null>(null);
  names = $state.raw<string[]>([]);
  seedHash = $state("");
  n = $state(0);
  scene = $state.raw<Scene | null>(null);
  status = $state.raw<Status | null>(null);
  statusAt = $state(0);
  own = $state.raw<Private | null>(null);
  chat = $state.raw<Chat[]>([]);
  happened = $state.raw<Happened[]>([]);
  /** Why there is no coming back, if there is none. */
  ended = $state<Why | null>(null);
  /** What was sent and not yet answered: shown as sent. */
  sending = $state(0);
  /** A move is being taken back. */
  undoing = $state.raw<Promise<ServerMessage> | null>(null);
  private advice = $state.raw<Advice | null>(null);

  /** What was to be seen has been shown for long enough. */
  private waited = $state(false);
  private waiter: ReturnType<typeof setTimeout> | undefined;
  /** Somebody else at this screen looks. */
  private aside = false;
  private readonly transport: Transport;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  private readonly waiting = new Map<string, Waiting>();
  private count = 0;
  private readonly session = Math.random().toString(36).slice(2);
  /** Who sat in our chair when we were last told; null: we never were. */
  private sitter: string | null = null;

  /** The chair of the room that this speaks for: it stays with its person when chairs are moved. */
  seat = $state<number | null>(null);

  constructor(
    readonly code: string,
    seat: number | null,
    connect: Connect,
  ) {
    this.seat = seat;
    this.transport = connect({
      hello: () => ({ t: "hello", seat: this.seat, match: this.match, seen: this.n }),
      take: (message) => this.take(message),
      lost: () => this.lost(),
    });
    this.transport.open();
  }

  /** What is done now cannot be sent yet: it waits for the connection. */
  get unsent(): boolean {
    return this.link !== "open";
  }

  get question(): Asked | null {
    return this.scene?.question ?? null;
  }

  /** The seats that talk among themselves, and we are one of them. */
  get team(): number[] {
    return this.scene?.team ?? [];
  }

  /** The game waits for us, and no answer of ours waits for a window to close. */
  get must(): boolean {
    const question = this.question;
    return question !== null && question.must && this.own?.held_question !== question.id;
  }

  get timed(): boolean {
    return this.status?.timed ?? false;
  }

  get moments(): readonly number[] {
    return this.status?.moments ?? [];
  }

  /** The table waits until we have seen what is shown; that it has waited long enough nobody tells us. */
  get resting(): boolean {
    if (this.number === null || this.waited) return false;
    return (this.status?.looking ?? []).includes(this.number);
  }

  /** The hint that was asked for, until something else is asked. */
  get hinted(): Advice | null {
    const { advice, question } = this;
    return advice !== null && advice.question === question?.id ? advice : null;
  }

  close(): void {
    this.link = "closed";
    this.transport.close();
    this.stopWaiting();
    clearTimeout(this.waiter);
    for (const id of this.waiting.keys()) unanswered.delete(id);
  }

  // --- several people at one screen ------------------------------------------------------------

  /** Its person does not look: all that it has seen is let go, and what comes is not kept. */
  setAside(): void {
    if (this.aside) return;
    this.aside = true;
    this.scene = this.scene && bare(this.scene);
    this.own = this.own && answered(this.own);
    this.happened = [];
    this.chat = [];
    this.advice = null;
    for (const [id, { text }] of this.waiting)
      if (LOOKS.test(text)) this.answer(id, { t: "refused", id, why: { key: "web.offline" } });
  }

  /** Its person looks again, and is told everything anew. */
  takeUp(): void {
    if (!this.aside) return;
    this.aside = false;
    this.scene = null;
    this.n = 0;
    if (this.link !== "closed") this.greetAnew();
  }

  private greetAnew(): void {
    this.link = "connecting";
    this.transport.open();
  }

  /** While we were away the chairs were moved, and somebody else sits in the one that we asked for. What was
      told and asked here was not theirs. */
  private becomeAnother(sitter: string): void {
    this.sitter = sitter;
    this.match = "";
    this.n = 0;
    this.scene = this.own = this.advice = null;
    this.happened = [];
    this.chat = ofAll(this.chat);
    for (const id of this.waiting.keys())
      this.answer(id, { t: "refused", id, why: { key: "web.offline" } });
    this.greetAnew();
  }

  // --- asking --------------------------------------------------------------------------------

  do(steps: Action[]): Promise<ServerMessage> {
    const { match } = this; // sent again, it must not count in the next one
    const question = this.question?.id ?? 0;
    return this.ask((id) => ({ t: "do", id, match, question, do: steps }));
  }

  say(said: unknown): Promise<ServerMessage> {
    const { match } = this;
    return this.ask((id) => ({ t: "say", id, match, said }));
  }

  moment(): Promise<ServerMessage> {
    const question = this.question?.id ?? 0;
    return this.ask((id) => ({ t: "moment", id, question }));
  }

  seen(): void {
    if (this.resting) this.tell({ t: "seen", n: this.status?.rest ?? 0 });
  }

  /** Taken back twice before the first is answered, it is taken back once. */
  undo(): Promise<ServerMessage> {
    const { match } = this;
    this.undoing ??= this.ask((id) => ({ t: "undo", id, match })).finally(
      () => (this.undoing = null),
    );
    return this.undoing;
  }

  async preview<T>(steps: Action[]): Promise<T> {
    const answer = await this.ask((id) => ({ t: "preview", id, do: steps }));
    return (answer as { preview: T }).preview;
  }

  async read(): Promise<Reading> {
    const answer = await this.ask((id) => ({ t: "read", id }));
    if (answer.t !== "reading") throw new Error(answer.t);
    return answer;
  }

  /** Ask what the bot would do here; the answer is `hinted`. */
  async hint(): Promise<void> {
    const answer = await this.ask((id) => ({ t: "hint", id }), true);
    if (answer.t !== "hint") throw new Error(answer.t);
    const { question, do: steps, lines } = answer;
    this.advice = { question, do: steps, lines };
  }

  /** The hint has been read. */
  dismiss(): void {
    this.advice = null;
  }

  /** To the table, or to a team: if others are in it when this arrives, it is for nobody. */
  write(text: string, team: Readers = null): Promise<ServerMessage> {
    const { match } = this;
    const to = team ? "team" : "table";
    return this.ask((id) => ({ t: "chat", id, text, to, match, team: [...(team ?? [])] }));
  }

  keep(changes: { notes?: string; passes?: string[]; webhook?: string }): Promise<ServerMessage> {
    return this.ask((id) => ({ t: "keep", id, match: this.match, ...changes }));
  }

  /** What has no answer is not sent again: whoever offers it offers nothing while it is `unsent`. */
  tell(message: ClientMessage): void {
    if (!this.unsent) this.transport.send(JSON.stringify(message));
  }

  private ask(make: (id: string) => ClientMessage, patient = false): Promise<ServerMessage> {
    this.count += 1;
    const id = `${this.session}-${this.count}`;
    const text = JSON.stringify(make(id));
    return new Promise((done, failed) => {
      const waiting: Waiting = { text, patient, tries: 0, done, failed };
      this.waiting.set(id, waiting);
      unanswered.add(id);
      this.sending = this.waiting.size;
      if (this.link === "open") this.post(waiting);
    });
  }

  /** Send it, and see that it is answered. */
  private post(waiting: Waiting): void {
    if (!this.transport.send(waiting.text)) return;
    clearTimeout(waiting.timer); // it may have been sent on another one, too
    if (waiting.patient) return;
    const wait = Math.min(Math.max(ANSWER, 2 * this.transport.way) * 2 ** waiting.tries, LONGEST);
    waiting.tries += 1;
    waiting.timer = setTimeout(() => this.transport.renew(true), wait);
  }

  private stopWaiting(): void {
    for (const { timer } of this.waiting.values()) clearTimeout(timer);
  }

  /** The connection is gone: whether there is to be another. */
  private lost(): boolean {
    this.stopWaiting();
    this.link = this.ended === null ? "away" : "closed";
    return this.ended === null;
  }

  /** The room as somebody was told that it is; but what was told later stays, on whichever way it came. A
      new connection tells it anew. */
  showRoom(room: RoomView): void {
    if (this.link !== "open" || number(room) >= number(this.room)) this.room = room;
  }

  // --- what comes ------------------------------------------------------------------------------

  private take(told: ServerMessage): void {
    const message = this.aside ? kept(told) : told;
    if (message === null) return;
    switch (message.t) {
      case "room": {
        const sitter = message.room.seats[message.seat ?? -1]?.name ?? "";
        if (this.link !== "open" && sitter !== (this.sitter ?? sitter))
          return this.becomeAnother(sitter);
        this.sitter = sitter;
        this.showRoom(message.room);
        this.seat = message.seat ?? null;
        this.opened();
        break;
      }
      case "presence":
        if (this.room) this.showRoom(present(this.room, message));
        break;
      case "welcome":
        // Another match, or one that is told from the beginning.
        if (message.match !== this.match || (message.missed[0]?.n ?? Infinity) <= this.n)
          this.happened = [];
        if (message.match !== this.match || (message.seat ?? null) !== this.number)
          this.chat = ofAll(this.chat); // another seat is in another team
        this.match = message.match;
        this.title = message.title;
        this.number = message.seat ?? null;
        this.names = message.names;
        this.seedHash = message.seed_hash;
        this.n = message.n;
        this.scene = this.resumed(message.scene);
        this.own = message.private ?? null;
        this.happened = [...this.happened, ...message.missed];
        break;
      case "frame":
        if (message.match === this.match && message.n <= this.n) break; // welcome brought it
        if (message.match !== this.match || message.n > this.n + 1) {
          this.transport.renew(true); // something is missing: whoever says hello again gets it
          break;
        }
        this.n = message.n;
        this.scene = patched(this.scene, message.delta);
        this.happened = [...this.happened, { n: message.n, events: message.events }];
        break;
      case "status":
        this.status = message;
        this.statusAt = Date.now();
        clearTimeout(this.waiter);
        this.waited = false;
        if (message.looking)
          this.waiter = setTimeout(() => (this.waited = true), message.showing ?? 0);
        break;
      case "private":
        this.own = message.private;
        break;
      case "chat":
        this.chat = withLine(this.chat, message);
        break;
      case "refused":
        // On this connection, whatever an earlier one was: the chair may have been lost in between.
        if (!message.id && this.link !== "open" && !PASSING.includes(message.why.key))
          this.ended = message.why;
        this.answer(message.id ?? "", message);
        break;
      case "done":
      case "preview":
      case "reading":
      case "hint":
        this.answer(message.id, message);
        break;
      case "bye":
        if (message.why === "removed") this.ended = { key: "room.removed" };
        break;
    }
  }

  /** What is still asked is still the same thing: whoever was choosing goes on choosing. */
  private resumed(scene: Scene): Scene {
    const question = this.question;
    const same = JSON.stringify(question) === JSON.stringify(scene.question);
    return same ? { ...scene, question } : scene;
  }

  /** What was not answered may have been lost, or only its answer: sent again, it counts once. */
  private opened(): void {
    if (this.link === "open") return;
    this.link = "open";
    for (const waiting of this.waiting.values()) this.post(waiting);
  }

  private answer(id: string, message: ServerMessage): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.waiting.delete(id);
    unanswered.delete(id);
    this.sending = this.waiting.size;
    if (message.t === "refused") waiting.failed(new Refused(message.why));
    else waiting.done(message);
  }
}

function number(room: RoomView | null): number {
  return room?.n ?? 0;
}
