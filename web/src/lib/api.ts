/* Requests. What goes wrong has a reason that the reader's language has words for. */

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

  /** It may be gone the next time. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  let answer: T | Failure | null;
  try {
    response = await fetch(path, { method, ...sent(body) });
    // A connection can break in the middle of an answer, too; and what stands in between may answer in
    // words of its own.
    const text = await response.text();
    answer = response.ok ? (JSON.parse(text) as T) : failure(text);
  } catch {
    throw new Failed(0, { key: "web.offline" });
  }
  if (response.ok) return answer as T;
  throw new Failed(response.status, (answer as Failure | null)?.why ?? { key: "web.offline" });
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
    return JSON.parse(text) as Failure;
  } catch {
    return null;
  }
}

const room = (code: string) => `/api/rooms/${encodeURIComponent(code)}`;
const match = (id: string) => `/api/matches/${encodeURIComponent(id)}`;

export const api = {
  titles: () => request<TitleView[]>("GET", "/api/titles"),
  me: () => request<Me>("GET", "/api/me"),
  rooms: () => request<RoomLine[]>("GET", "/api/rooms"),
  create: (asked: NewRoom) => request<RoomView>("POST", "/api/rooms", asked),
  room: (code: string) => request<RoomView>("GET", room(code)),
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
  matchWords: (id: string, lang: string) =>
    request<Record<string, unknown>>("GET", `${match(id)}/words/${lang}`),
  matchData: <T>(id: string, kind: string) => request<T>("GET", `${match(id)}/data/${kind}`),
  upload: (record: string) => request<MatchView>("POST", "/api/records", record),
  playOn: (id: string, asked: Continue) =>
    request<RoomView>("POST", `${match(id)}/continue`, asked),
};
