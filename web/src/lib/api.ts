/* Requests. What goes wrong has a reason that the reader's language has words for. */

import { parsed } from "./json";
import type {
  Command,
  Continue,
  Failure,
  MatchView,
  Me,
  NewRoom,
  Replay,
  RoomLine,
  RoomView,
  SeatLink,
  TitleView,
  Why,
} from "../generated/protocol";

export class Failed extends Error {
  constructor(
    readonly status: number,
    readonly why: Why,
  ) {
    super(why.key);
  }

  /** Nobody answered: what was to be done may have been done. */
  get unsure(): boolean {
    return this.status === 0;
  }

  /** It may be gone the next time. */
  get passing(): boolean {
    return this.unsure || this.status === 429 || this.status >= 500;
  }
}

/** So long an answer may take. What is only looked at is asked for once more, with more time. */
const LOOKING = [8_000, 20_000];
const DOING = [15_000];
/** A file takes what the network needs for it. */
const CARRYING = [120_000];

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const asked = { method, ...sent(body) };
  const limits = patience(method, body);
  for (const limit of limits.slice(0, -1)) {
    try {
      return await answer<T>(path, asked, limit);
    } catch (error) {
      if (!(error instanceof Failed && error.unsure)) throw error;
    }
  }
  return answer(path, asked, limits.at(-1)!);
}

/** What is to be done is asked for once: nobody knows here whether it was done already. */
function patience(method: string, body: unknown): readonly number[] {
  if (method === "GET") return LOOKING;
  return body instanceof Blob ? CARRYING : DOING;
}

async function answer<T>(path: string, asked: RequestInit, limit: number): Promise<T> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), limit);
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, { ...asked, signal: stop.signal });
    // A connection can break in the middle of an answer, too; and what stands in between may answer in
    // words of its own.
    text = await response.text();
    if (response.ok) return parsed<T>(text);
  } catch {
    const late = stop.signal.aborted && asked.method !== "GET";
    throw new Failed(0, { key: late ? "web.unanswered" : "web.offline" });
  } finally {
    clearTimeout(timer);
  }
  throw new Failed(response.status, failure(text)?.why ?? { key: "web.offline" });
}

function sent(body: unknown): RequestInit {
  if (body === undefined) return {};
  if (body instanceof Blob)
    return { body, headers: { "content-type": "application/octet-stream" } };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { body: text, headers: { "content-type": "application/json" } };
}

function failure(text: string): Failure | null {
  try {
    return parsed<Failure | null>(text);
  } catch {
    return null;
  }
}

/** Answers that were asked for before whoever needs them was there. Each is for the first who asks. */
const coming = new Map<string, Promise<unknown>>();

function look<T>(path: string): Promise<T> {
  const found = coming.get(path);
  coming.delete(path);
  return (found as Promise<T> | undefined) ?? request<T>("GET", path);
}

function begin(path: string): void {
  const answer = request("GET", path);
  answer.catch(() => undefined); // whoever needs it is told
  coming.set(path, answer);
}

const room = (code: string) => `/api/rooms/${encodeURIComponent(code)}`;
const match = (id: string) => `/api/matches/${encodeURIComponent(id)}`;
const matchWords = (id: string, lang: string) => `${match(id)}/words/${lang}`;
const matchData = (id: string, kind: string) => `${match(id)}/data/${kind}`;

/** What will be asked for soon, by code that is still on its way. */
export const ahead = {
  room: (code: string) => begin(room(code)),
  matchWords: (id: string, lang: string) => begin(matchWords(id, lang)),
  matchData: (id: string, kind: string) => begin(matchData(id, kind)),
};

export const api = {
  titles: () => request<TitleView[]>("GET", "/api/titles"),
  words: (lang: string, title: string) =>
    request<Record<string, unknown>>("GET", `/api/words/${lang}/${encodeURIComponent(title)}`),
  me: () => request<Me>("GET", "/api/me"),
  rooms: () => request<RoomLine[]>("GET", "/api/rooms"),
  create: (asked: NewRoom) => request<RoomView>("POST", "/api/rooms", asked),
  room: (code: string) => look<RoomView>(room(code)),
  /** The same, unless a socket would not be opened: then why not. */
  knock: (code: string) => request<RoomView>("GET", `${room(code)}?socket=1`),
  command: (code: string, command: Command) => request<RoomView>("POST", room(code), command),
  bring: (code: string, kind: string, file: File) =>
    request<RoomView>(
      "POST",
      `${room(code)}/data/${kind}?name=${encodeURIComponent(file.name)}`,
      file,
    ),
  seatLink: (code: string, seat: number) =>
    request<SeatLink>("POST", `${room(code)}/seats/${seat}/link`, {}),
  useKey: (code: string, seat: number, key: string) =>
    request<RoomView>("POST", `${room(code)}/seats/${seat}/key`, { key }),
  match: (id: string) => request<MatchView>("GET", match(id)),
  replay: (id: string, as: string) => request<Replay>("GET", `${match(id)}/replay?as=${as}`),
  matchWords: (id: string, lang: string) => look<Record<string, unknown>>(matchWords(id, lang)),
  matchData: <T>(id: string, kind: string) => look<T>(matchData(id, kind)),
  upload: (record: string) => request<MatchView>("POST", "/api/records", record),
  playOn: (id: string, asked: Continue) =>
    request<RoomView>("POST", `${match(id)}/continue`, asked),
};
