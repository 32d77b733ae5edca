/* Choices that are not sent yet: begun for one question, asked about once, sent once. */
import { describe, expect, test } from "vitest";
import { Refused } from "../../src/lib/refused";
import type { Acting, Choice, Sight } from "../../src/lib/sight";
import { Unsent } from "../../src/titles/unsent.svelte";

const line = { key: "action.load" };
const to: Choice[] = [0, 1].map((seat) => ({ do: { do: "to", seat }, line }));
const load: Choice = { do: { do: "load" }, line, then: to };
const depart: Choice = { do: { do: "depart" }, line };

function asked(id: number, choices = [load, depart]): Sight {
  return { scene: { question: { id, must: true, choices } } } as unknown as Sight;
}

/** A table that answers when it is told to. */
function table() {
  const sent: unknown[] = [];
  const previews: unknown[] = [];
  let answer: (problem?: Error) => void = () => undefined;
  const acting = {
    do: (steps: unknown) => {
      sent.push(steps);
      return new Promise<void>((done, fail) => {
        answer = (problem) => (problem ? fail(problem) : done());
      });
    },
    preview: (steps: unknown) => {
      previews.push(steps);
      return Promise.resolve({ lines: [line] });
    },
  } as unknown as Acting;
  return { acting, sent, previews, answer: (problem?: Error) => answer(problem) };
}

describe("choosing", () => {
  test("is whole when nothing may follow", () => {
    const unsent = new Unsent();
    unsent.pick(asked(1), load);
    expect([unsent.whole(asked(1)), unsent.next(asked(1))]).toEqual([false, to]);
    unsent.pick(asked(1), to[1]!, 1);
    expect([unsent.whole(asked(1)), unsent.does(asked(1))]).toEqual([true, [load.do, to[1]!.do]]);
    unsent.cancel(1);
    expect(unsent.does(asked(1))).toEqual([load.do]);
  });

  test("for one question begins nothing for the next", () => {
    const unsent = new Unsent();
    unsent.pick(asked(1), load);
    expect(unsent.steps(asked(2))).toEqual([]);
    unsent.pick(asked(2), to[0]!, 1); // what stood before it was for another question
    expect(unsent.does(asked(2))).toEqual([to[0]!.do]);
  });

  test("several steps at once, only if they may all be taken", () => {
    const unsent = new Unsent();
    unsent.take(asked(1), [load.do, { do: "to", seat: 7 }]);
    expect(unsent.steps(asked(1))).toEqual([]);
    unsent.take(asked(1), [load.do, to[0]!.do]);
    expect(unsent.whole(asked(1))).toBe(true);
  });

  test("as a hint would, as long as one has begun as it would", () => {
    const unsent = new Unsent();
    const hint = [load.do, to[1]!.do];
    expect(unsent.advised(asked(1), hint)).toBe(load);
    unsent.pick(asked(1), load);
    expect(unsent.advised(asked(1), hint)).toBe(to[1]);
    unsent.pick(asked(1), depart);
    expect(unsent.advised(asked(1), hint)).toBeNull();
  });
});

describe("what it would do", () => {
  test("is asked once, and known for that question alone", async () => {
    const { acting, previews } = table();
    const unsent = new Unsent();
    for (let i = 0; i < 3; i++) unsent.foresee(asked(1), acting, [depart.do]);
    await Promise.resolve();
    expect(previews).toEqual([[depart.do]]);
    expect(unsent.foreseen(asked(1), [depart.do])).toEqual({ lines: [line] });
    expect(unsent.foreseen(asked(2), [depart.do])).toBeNull();
  });
});

describe("sending", () => {
  test("happens once while it is unanswered; then nothing is begun", async () => {
    const { acting, sent, answer } = table();
    const unsent = new Unsent();
    unsent.pick(asked(1), depart);
    const first = unsent.send(acting, unsent.does(asked(1)));
    expect(unsent.sending).toBe(true);
    expect(await unsent.send(acting, unsent.does(asked(1)))).toBe(false);
    answer();
    expect(await first).toBe(true);
    expect([sent, unsent.sending, unsent.steps(asked(1))]).toEqual([[[depart.do]], false, []]);
  });

  test("what is refused stays chosen, with why, until something else is chosen", async () => {
    const { acting, answer } = table();
    const unsent = new Unsent();
    unsent.pick(asked(1), depart);
    const sending = unsent.send(acting, unsent.does(asked(1)));
    answer(new Refused({ key: "refused.load" }));
    expect(await sending).toBe(false);
    expect([unsent.problem, unsent.does(asked(1))]).toEqual([{ key: "refused.load" }, [depart.do]]);
    unsent.pick(asked(1), load);
    expect(unsent.problem).toBeNull();
  });

  test("nothing is nothing to send", async () => {
    const { acting, sent } = table();
    expect(await new Unsent().send(acting, [])).toBe(false);
    expect(await new Unsent().send(null, [depart.do])).toBe(false);
    expect(sent).toEqual([]);
  });
});
