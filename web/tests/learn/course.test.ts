import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { same } from "../../src/lib/same";
import { whyOf } from "../../src/lib/refused";
import { Course } from "../../src/screens/learn/course.svelte";
import {
  load,
  narrowed,
  scenes,
  TAUGHT,
  within,
  type Lesson,
} from "../../src/screens/learn/lesson";
import { recall } from "../../src/screens/learn/progress";

const TITLE = "stop-the-train";
let lesson: Lesson;

beforeEach(async () => {
  localStorage.clear();
  vi.useFakeTimers();
  lesson = (await load(TITLE))!;
});
afterEach(() => vi.useRealTimers());

const started = (moves = false, taught = lesson) =>
  new Course(
    taught,
    () => moves,
    () => 20,
  );

/** As a learner who does what is asked. */
async function follow(course: Course): Promise<void> {
  const { stop } = course;
  if (stop.do) await course.acting.do(stop.do);
  else if (stop.said) await course.acting.say(stop.said);
  else course.next();
}

async function until(course: Course, key: string): Promise<void> {
  while (course.stop.say.key !== key) await follow(course);
}

describe("a lesson", () => {
  it("is found by its title", async () => {
    expect(TAUGHT).toContain(TITLE);
    expect(await load("no-such-title")).toBeNull();
  });

  it.each(TAUGHT)("of %s can be played from start to end", async (title) => {
    const taught = (await load(title))!;
    const course = started(false, taught);
    for (let n = 1; n < taught.stops.length; n++) {
      await follow(course);
      expect(course.at).toBe(n);
    }
    expect(course.last).toBe(true);
    expect(course.sight("").scene.result?.ending).toBeTruthy();
    expect(recall(title)).toEqual({ stop: 0, reached: taught.stops.length - 1, done: true });
  });

  it("shows at every stop what can be done there, and else nothing", async () => {
    const course = started();
    for (const stop of lesson.stops) {
      const { question, view } = course.sight("").scene;
      expect(question?.choices ?? []).toEqual(stop.question?.choices ?? []);
      expect(view).toEqual(scenes(lesson)[stop.frame]!.view);
      await follow(course);
    }
  });

  it("says why not, and lets only the right thing glow, when something else is tried", async () => {
    const course = started();
    await until(course, "tutorial.draw");
    const before = course.question;
    await course.acting.do([{ do: "discard", effect: "accelerate" }]);
    expect(course.stop.say.key).toBe("tutorial.draw");
    expect(course.remark).toBe("other");
    expect(course.question.id).not.toBe(before.id);
    expect(course.question.choices.map((choice) => choice.do)).toEqual(course.stop.do);
    await follow(course);
    expect(course.stop.say.key).toBe("tutorial.record");
    expect(course.remark).toBe("");
  });

  it("takes any true claim and no false one", async () => {
    const course = started();
    await until(course, "tutorial.claim");
    const [fast, slow] = ["full-speed-ahead", "accelerate"];
    await course.acting.say({ claim: { turn: 1, passed: [fast, fast] } });
    expect(course.remark).toBe("other");
    await course.acting.say({ claim: { turn: 1, drew: [fast, slow, fast] } });
    expect(course.stop.say.key).toBe("tutorial.window");
  });

  it("hears out who says something at another time", async () => {
    const course = started();
    await until(course, "tutorial.talk");
    await course.acting.say({ accuse: 2 });
    expect(course.remark).toBe("not-now");
    await follow(course);
    expect(course.stop.say.key).toBe("tutorial.ballot");
  });

  it("answers previews as the table would", async () => {
    const course = started();
    await until(course, "tutorial.play");
    const play = [{ do: "play", effect: "accelerate" }];
    expect(await course.acting.preview(play)).toMatchObject({ speed: 60, happens: ["meeting"] });
    expect(await course.acting.preview([{ do: "pass" }])).toEqual({ lines: [] });
  });

  it("keeps of a preview what it changes, and tells all of it", async () => {
    const course = started(false, (await load("tachite-al-tram"))!);
    await until(course, "tutorial.build");
    const far = [
      { do: "lay", tile: "straight" },
      { do: "on", square: "D12" },
    ];
    const before = await course.acting.preview([]);
    expect(course.stop.previews![JSON.stringify(far)]).not.toHaveProperty("reach");
    expect(before).toHaveProperty("reach");
    expect(await course.acting.preview(far)).toMatchObject({
      ...before,
      lines: expect.anything(),
      connects: ["north", "south"],
    });
    const near = await course.acting.preview(course.stop.do!);
    expect(near).not.toMatchObject(before);
  });

  it("says why something cannot be, as the table would", async () => {
    const course = started(false, (await load("tachite-al-tram"))!);
    await until(course, "tutorial.build");
    const lay = course.stop.do![0]!;
    const why = (square: string) =>
      course.acting.preview([lay, { do: "on", square }]).then(
        () => null,
        (failed: unknown) => whyOf(failed),
      );
    expect(await why("A1")).toEqual({
      key: "refused.no-grass",
      args: { square: "A1" },
      rule: "TA-3.1",
    });
    const legal = course.question.choices.find((one) => same(one.do, lay))!.then!;
    const [other] = legal.filter((one) => !same(one.do, course.stop.do![1]));
    const square = String(other!.do.square);
    expect(await why(square)).toBeNull();
    // Once it is shown what to do, the rest has to wait.
    course.help();
    expect(await why(square)).toEqual({ key: "learn.elsewhere" });
    expect(await why(String(course.stop.do![1]!.square))).toBeNull();
    expect(await why("A1")).toMatchObject({ rule: "TA-3.1" });
  });

  it("lets the others move one after the other, and can be hurried", async () => {
    await until(started(), "tutorial.draw");
    const course = started(true);
    const from = course.frame;
    await follow(course);
    expect(course.running).toBe(true);
    expect(course.question.choices).toEqual([]);
    expect(course.frame).toBeGreaterThan(from);
    course.next();
    expect(course.running).toBe(false);
    expect(course.stop.say.key).toBe("tutorial.record");
    course.next();
    vi.runAllTimers();
    expect(course.stop.say.key).toBe("tutorial.claim");
  });

  it("leaps over what is skipped", async () => {
    await until(started(), "tutorial.permit");
    const running = started(true);
    expect(running.stop.say.key).toBe("tutorial.permit");
    await follow(running);
    const seen = [running.frame];
    while (running.running) {
      vi.advanceTimersToNextTimer();
      seen.push(running.frame);
    }
    expect(running.stop).toMatchObject({ say: { key: "tutorial.vote" }, later: 0 });
    expect(seen.length).toBeLessThan(4);
  });

  it("shows the move, and makes it when asked once more", async () => {
    const course = started();
    await until(course, "tutorial.or");
    course.help();
    expect(course.hinted).toBe(true);
    expect(course.tap).toHaveLength(2);
    course.help();
    expect(course.stop.say.key).toBe("tutorial.permit");
  });

  it("goes back, and on again without doing it twice", async () => {
    const course = started();
    await until(course, "tutorial.record");
    expect(course.free).toBe(true);
    course.back();
    expect(course.stop.say.key).toBe("tutorial.draw");
    course.next();
    expect(course.stop.say.key).toBe("tutorial.record");
    await until(course, "tutorial.claim");
    course.next();
    expect(course.stop.say.key).toBe("tutorial.claim");
  });

  it("remembers where somebody left", async () => {
    await until(started(), "tutorial.play");
    const again = started();
    expect(again.stop.say.key).toBe("tutorial.play");
    again.restart();
    expect(started().at).toBe(0);
  });

  it("puts the learner's name in", () => {
    expect(started().sight("Zoe").names).toEqual(["Zoe", "Bruno", "Carla", "Dario"]);
    expect(started().sight("").names[0]).toBe("Ada");
  });
});

describe("where something of one's own may be said", () => {
  let course: Course;
  beforeEach(async () => {
    course = started(false, (await load("trial-by-trolley"))!);
    await until(course, "tutorial.point");
  });
  const plead = () => until(course, "tutorial.plea");

  it("it may be left out, if it is only a suggestion", () => {
    expect([course.asked, course.free]).toEqual([true, true]);
    course.next();
    expect(course.stop.say.key).toBe("tutorial.plea");
    expect(course.free).toBe(false);
  });

  it("anything of its kind will do, and nothing else", async () => {
    await course.acting.say({ plea: "Mercy!" });
    expect(course.remark).toBe("other");
    await course.acting.say({ point: { track: "south", place: 0, modifier: 0, thing: "her" } });
    expect(course.stop.say.key).toBe("tutorial.plea");
  });

  it("what one says is what is shown, until one starts over", async () => {
    await plead();
    await course.acting.say({ plea: "We have cake!" });
    const { scene, happened } = course.sight("");
    const line = { key: "saying.plea", args: { seat: 0, text: "We have cake!" } };
    expect(scene.said?.map((said) => said.line)).toContainEqual(line);
    expect(happened.flatMap(({ events }) => events)).toContainEqual(expect.objectContaining(line));
    course.back();
    await course.acting.say({ plea: { line: "plea.save", cards: ["no-stabilisers"] } });
    const ready = { key: "plea.save", args: { seat: 0, card: "no-stabilisers" } };
    expect(course.sight("").scene.said?.map((said) => said.line)).toContainEqual(ready);
    expect(JSON.stringify(course.sight(""))).not.toContain("cake");
    course.restart();
    await plead();
    await follow(course);
    expect(JSON.stringify(course.sight(""))).toContain("plea.choose");
  });

  it("what was skipped is counted as the title counts", async () => {
    await until(course, "tutorial.end");
    expect(course.stop).toMatchObject({ later: 2, counts: "rounds" });
  });
});

describe("what is said", () => {
  it("may leave things out, and name cards in any order", () => {
    expect(within({ a: ["x", "y"] }, { a: ["y", "x"], b: 1 })).toBe(true);
    expect(within({ a: ["x", "x"] }, { a: ["x", "y"] })).toBe(false);
    expect(within({ c: 1 }, { a: 1 })).toBe(false);
    expect(within({ a: 1 }, 1)).toBe(false);
  });
});

describe("narrowed choices", () => {
  it("keep the way to the move and nothing else", () => {
    const stop = lesson.stops.find((one) => one.say.key === "tutorial.or")!;
    const { choices } = narrowed(stop.question!, stop.do!);
    expect(choices).toHaveLength(1);
    expect(choices[0]!.then).toHaveLength(1);
  });
});
