/* One socket: a seat at a table, or a place to watch from. It keeps what can be seen up to date, comes
   back by itself when the connection breaks, and sends again what was not answered. */

import type {
  Asked,
  Chat,
  ClientMessage,
  Hint,
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
import { patched, type Change } from "./delta";

export type Action = Record<string, unknown>;
/** "away": the network or the server is gone, and we are trying to come back. */
export type Link = "connecting" | "open" | "away" | "closed";

export interface Happened {
  n: number;
  events: Told[];
}

export class Refused extends Error {
  constructor(readonly why: Why) {
    super(why.key);
  }
}

/** Why something that was tried at a table failed: the rules say so, or nobody answered. */
export function whyOf(failed: unknown): Why {
  return failed instanceof Refused ? failed.why : { key: "web.offline" };
}

const BACKOFF = [200, 500, 1000, 2000, 5000];
/** A connection that says nothing for so long is dead, whatever the browser thinks. */
const SILENCE = 45_000;
const PING = 20_000;
/** Reasons not to be let in that may be gone the next time. */
const PASSING = ["table.not-kept", "serve.our-fault"];

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
  private advice = $state.raw<Advice | null>(null);

  /** Somebody else at this screen looks. */
  private aside = false;
  private socket: WebSocket | null = null;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private heard = 0;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  private readonly waiting = new Map<string, Waiting>();
  private count = 0;
  private readonly session = Math.random().toString(36).slice(2);

  /** The chair of the room that this speaks for: it stays with its person when chairs are moved. */
  seat = $state<number | null>(null);

  constructor(
    readonly code: string,
    seat: number | null,
  ) {
    this.seat = seat;
    this.connect();
    addEventListener("online", this.hurry);
    addEventListener("offline", this.cut);
    document.addEventListener("visibilitychange", this.hurry);
  }

  get question(): Asked | null {
    return this.scene?.question ?? null;
  }

  /** The game waits for us, and no answer of ours waits for a window to close. */
  get must(): boolean {
    const question = this.question;
    return question !== null && question.must && this.own?.held_question !== question.id;
  }

  /** The hint that was asked for, until something else is asked. */
  get hinted(): Advice | null {
    const { advice, question } = this;
    return advice !== null && advice.question === question?.id ? advice : null;
  }

  close(): void {
    this.link = "closed";
    clearTimeout(this.timer);
    clearInterval(this.pulse);
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.cut);
    document.removeEventListener("visibilitychange", this.hurry);
    this.socket?.close();
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
    if (this.link === "closed") return;
    this.link = "connecting";
    clearTimeout(this.timer);
    this.connect();
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

  undo(): Promise<ServerMessage> {
    const { match } = this;
    return this.ask((id) => ({ t: "undo", id, match }));
  }

  async preview<T>(steps: Action[]): Promise<T> {
    const answer = await this.ask((id) => ({ t: "preview", id, do: steps }));
    return (answer as { preview: T }).preview;
  }

  async read(): Promise<Reading> {
    return (await this.ask((id) => ({ t: "read", id }))) as Reading;
  }

  /** Ask what the bot would do here; the answer is `hinted`. */
  async hint(): Promise<void> {
    const answer = await this.ask((id) => ({ t: "hint", id }));
    const { question, do: steps, lines } = answer as Hint;
    this.advice = { question, do: steps, lines };
  }

  /** The hint has been read. */
  dismiss(): void {
    this.advice = null;
  }

  write(text: string, to: "table" | "team" = "table"): Promise<ServerMessage> {
    return this.ask((id) => ({ t: "chat", id, text, to }));
  }

  keep(changes: { notes?: string; passes?: string[]; webhook?: string }): Promise<ServerMessage> {
    return this.ask((id) => ({ t: "keep", id, ...changes }));
  }

  tell(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private ask(make: (id: string) => ClientMessage): Promise<ServerMessage> {
    this.count += 1;
    const id = `${this.session}-${this.count}`;
    const text = JSON.stringify(make(id));
    return new Promise((done, failed) => {
      this.waiting.set(id, { text, done, failed });
      this.sending = this.waiting.size;
      if (this.socket?.readyState === WebSocket.OPEN && this.link === "open")
        this.socket.send(text);
    });
  }

  // --- the connection --------------------------------------------------------------------------

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const path = `/api/rooms/${encodeURIComponent(this.code)}/socket`;
    const socket = new WebSocket(`${scheme}//${location.host}${path}`);
    this.socket = socket;
    this.heard = Date.now();
    socket.onopen = () => {
      const hello = { t: "hello", seat: this.seat, match: this.match, seen: this.n };
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = (event) => {
      if (socket === this.socket) this.take(JSON.parse(String(event.data)) as ServerMessage);
      else socket.close(); // another one has come in its place: nobody seemed to leave
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lost();
    };
    clearInterval(this.pulse);
    this.pulse = setInterval(() => this.check(), PING);
  }

  private check(): void {
    if (Date.now() - this.heard > SILENCE) this.lost();
    else this.tell({ t: "ping" });
  }

  private lost(): void {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    clearInterval(this.pulse);
    if (this.link === "closed") return;
    if (this.ended !== null) {
      this.link = "closed";
      return;
    }
    this.link = "away";
    const wait = BACKOFF[Math.min(this.failures, BACKOFF.length - 1)]!;
    this.failures += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** The network is gone: a socket may not notice for minutes. One to this very computer comes back. */
  private cut = (): void => {
    if (this.link === "open") this.lost();
  };

  /** The network is back, or somebody looks again: do not wait for the next attempt. */
  private hurry = (): void => {
    if (document.visibilityState === "hidden") return;
    if (this.link === "away" && this.socket === null) {
      clearTimeout(this.timer);
      this.connect();
    } else if (this.link === "open") {
      this.check();
    }
  };

  // --- what comes ------------------------------------------------------------------------------

  private take(told: ServerMessage): void {
    this.heard = Date.now();
    const message = this.aside ? kept(told) : told;
    if (message === null) return;
    switch (message.t) {
      case "room":
        this.room = message.room;
        this.seat = message.seat ?? null;
        this.opened();
        break;
      case "welcome":
        // Another match, or one that is told from the beginning.
        if (message.match !== this.match || (message.missed[0]?.n ?? Infinity) <= this.n)
          this.happened = [];
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
        this.n = message.n;
        this.scene = patched(this.scene, message.delta as Change[]);
        this.happened = [...this.happened, { n: message.n, events: message.events }];
        break;
      case "status":
        this.status = message;
        this.statusAt = Date.now();
        break;
      case "private":
        this.own = message.private;
        break;
      case "chat":
        if (this.chat.every((line) => line.n !== message.n)) this.chat = [...this.chat, message];
        break;
      case "refused":
        if (!message.id && this.room === null && !PASSING.includes(message.why.key))
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
    this.failures = 0;
    for (const { text } of this.waiting.values()) this.socket?.send(text);
  }

  private answer(id: string, message: ServerMessage): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    this.waiting.delete(id);
    this.sending = this.waiting.size;
    if (message.t === "refused") waiting.failed(new Refused(message.why));
    else waiting.done(message);
  }
}
