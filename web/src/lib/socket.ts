/* The way to a table over the network. It notices when it is dead before the browser does, and comes back by
   itself. */

import { parsed } from "./json";
import type { ClientMessage, ServerMessage } from "../generated/protocol";
import { pauseAfter } from "./backoff";
import type { Connect, End, Transport } from "./transport";

/** A connection that held for so long was a good one: the next may be tried at once. */
const STEADY = 2000;
/** After so long without a word we ask whether somebody is there, and so long we wait for a pong. */
const QUIET = 4000;
const PONG = 5000;
/** A connection that says nothing for so long is dead, whatever the browser thinks. */
const SILENCE = QUIET + PONG;
/** So long a new connection may take to say its first word. It has a long way before that, and if it was too
    long for one, the next has more time. */
const FIRST = [12_000, 24_000, 48_000];

const PING = JSON.stringify({ t: "ping" } satisfies ClientMessage);

/** To a room. A browser does not say why nobody opened; `onshut` may ask. */
export function overSocket(code: string, onshut = () => {}): Connect {
  return (end) => new Socket(code, end, onshut);
}

class Socket implements Transport {
  way = 0;
  private socket: WebSocket | null = null;
  private closed = false;
  private failures = 0;
  /** How many connections in a row said nothing in their time. */
  private silent = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setTimeout> | undefined;
  private heard = 0;
  /** Since when this connection has been let in; none yet: never. */
  private since = Infinity;

  constructor(
    private readonly code: string,
    private readonly end: End,
    private readonly onshut: () => void,
  ) {
    addEventListener("online", this.hurry);
    addEventListener("offline", this.cut);
    document.addEventListener("visibilitychange", this.hurry);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.cut);
    document.removeEventListener("visibilitychange", this.hurry);
    this.drop();
  }

  open(): void {
    clearTimeout(this.timer);
    this.since = Infinity;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const path = `/api/rooms/${encodeURIComponent(this.code)}/socket`;
    const socket = new WebSocket(`${scheme}//${location.host}${path}`);
    this.socket = socket;
    let opened = 0;
    let met = false;
    socket.onopen = () => {
      opened = Date.now();
      socket.send(JSON.stringify(this.end.hello()));
    };
    socket.onmessage = (event) => {
      // Another one has come in its place, so that nobody seemed to leave.
      if (socket !== this.socket) return socket.close();
      if (!met) this.way = Date.now() - opened;
      met = true;
      this.silent = 0;
      this.listen();
      this.take(parsed<ServerMessage>(String(event.data)));
    };
    socket.onclose = () => {
      if (socket !== this.socket) return;
      if (!opened) this.onshut();
      this.renew();
    };
    this.heard = Date.now();
    clearTimeout(this.pulse);
    this.pulse = setTimeout(() => {
      this.silent += 1;
      this.renew(true);
    }, this.patience);
  }

  private take(message: ServerMessage): void {
    // Whoever is let in is shown the room.
    if (message.t === "room" && !this.isIn) this.since = Date.now();
    this.end.take(message);
  }

  private get isIn(): boolean {
    return this.since !== Infinity;
  }

  send(message: string): boolean {
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(message);
      return true;
    }
    this.renew(); // it is closing, and would swallow it
    return false;
  }

  /** How long this connection may be silent. */
  private get patience(): number {
    return this.isIn ? SILENCE : FIRST[Math.min(this.silent, FIRST.length - 1)]!;
  }

  /** Somebody was there just now: ask again after a while of silence. */
  private listen(): void {
    this.heard = Date.now();
    clearTimeout(this.pulse);
    this.pulse = setTimeout(() => this.ping(), QUIET);
  }

  private ping(): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(PING);
    clearTimeout(this.pulse);
    this.pulse = setTimeout(() => this.renew(true), PONG);
  }

  /** Have nothing more to do with this connection: what it still says is not heard. */
  private drop(): void {
    clearTimeout(this.pulse);
    const socket = this.socket;
    this.socket = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  renew(hope = false): void {
    this.drop();
    if (this.closed) return;
    if (!this.end.lost()) {
      this.closed = true;
      return;
    }
    if (Date.now() - this.since >= STEADY) this.failures = 0;
    this.since = Infinity;
    const wait = hope && this.failures === 0 ? 0 : pauseAfter(this.failures);
    this.failures += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), wait);
  }

  /** The network is gone: a socket may not notice for minutes. One to this very computer comes back. */
  private cut = (): void => {
    if (this.socket !== null) this.renew();
  };

  /** The network is back, or somebody looks again: do not wait for the next attempt. */
  private hurry = (): void => {
    if (document.visibilityState === "hidden" || this.closed) return;
    if (this.socket === null) {
      this.open();
    } else if (Date.now() - this.heard > this.patience) {
      this.renew(true); // we slept, and so did nobody else
    } else if (this.isIn) {
      this.ping();
    }
  };
}
