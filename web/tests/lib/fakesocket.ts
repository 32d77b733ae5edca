/* A connection whose other side is the test. */

export type Json = Record<string, unknown>;

export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Json[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    if (this.readyState !== 1) throw new Error("not open");
    this.sent.push(JSON.parse(text) as Json);
  }
  close(): void {
    this.readyState = 3;
  }

  // --- what the other side does ---

  open(): this {
    this.readyState = 1;
    this.onopen?.();
    return this;
  }
  say(message: Json): this {
    this.onmessage?.({ data: JSON.stringify(message) });
    return this;
  }
  breaks(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  moves(): Json[] {
    return this.sent.filter((message) => message.t !== "hello");
  }
}

export const last = () => FakeSocket.all[FakeSocket.all.length - 1]!;
