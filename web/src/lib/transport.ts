/* The way between a seat and its table. A socket is one; a match in the page's own memory can be another.
   Whoever shows a seat knows neither. */

import type { ClientMessage, ServerMessage } from "../generated/protocol";

export interface Transport {
  /** How long the table took for its first word, in milliseconds. */
  readonly way: number;
  /** A new connection. One that is there already stays until the new one speaks. */
  open(): void;
  /** Whether it went out. If not, the connection is gone, and another one comes by itself. */
  send(message: string): boolean;
  /** This connection is of no use. Another one: at once if there is hope, else after a pause. */
  renew(hope: boolean): void;
  /** For good. */
  close(): void;
}

/** What a transport tells the seat at its end. */
export interface End {
  /** What a connection begins with. */
  hello(): ClientMessage;
  take(message: ServerMessage): void;
  /** The connection is gone; whether there is to be another. */
  lost(): boolean;
}

/** A way for the seat at this end. It is opened when the seat is ready to listen. */
export type Connect = (end: End) => Transport;
