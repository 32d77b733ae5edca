/* Several people at one screen: of what a seat is told while its person does not look, only whether the
   game waits for them is kept. The rest they get anew when they look again. */

import type { Asked, Private, Scene, ServerMessage } from "../generated/protocol";
import { isObject } from "./json";

/** What of a message is kept; null: nothing. */
export function kept(message: ServerMessage): ServerMessage | null {
  switch (message.t) {
    case "welcome":
      return {
        ...message,
        scene: bare(message.scene),
        missed: [],
        private: message.private && answered(message.private),
      };
    case "frame":
      return { ...message, events: [], delta: message.delta.flatMap(asks) };
    case "private":
      return { ...message, private: answered(message.private) };
    case "chat":
      return null;
    default:
      return message;
  }
}

export function bare({ question }: Scene): Scene {
  const asked = question && unread(question);
  return { view: null, awaited: {}, said: [], players: [], question: asked, result: null };
}

/** The answer itself is nobody's business; that it was given is. */
export function answered({ held_question }: Private): Private {
  return held_question === undefined ? {} : { held_question };
}

function unread({ id, must }: Asked): Asked {
  return { id, must, choices: [] };
}

/** Of a change: whether there is a question, which, and whether it must be answered. */
function asks(change: unknown[]): unknown[][] {
  const [path, question] = change;
  const [part, detail]: unknown[] = Array.isArray(path) ? path : [];
  if (part !== "question") return [];
  if (detail === "id" || detail === "must") return [change];
  if (detail !== undefined) return [];
  return [
    [path, isObject(question) ? { id: question.id, must: question.must, choices: [] } : null],
  ];
}
