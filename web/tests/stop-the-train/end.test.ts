/* What the end says, from what was told and not from a guess. */
import { beforeAll, describe, expect, test } from "vitest";
import en from "../../../src/capolinea/games/stop_the_train/words/en.json";
import type { Outcome } from "../../src/generated/protocol";
import { LANGUAGES } from "../../src/lib/prefs.svelte";
import { voice } from "../../src/lib/words/index.svelte";
import { because, deciding } from "../../src/titles/stop-the-train/end/because";
import { story, tallies } from "../../src/titles/stop-the-train/end/story";
import { told } from "../../src/titles/stop-the-train/end/told";
import type { Game, Happened, Sight } from "../../src/titles/stop-the-train/types";
import { seen } from "../../src/titles/stop-the-train/view";

beforeAll(() => voice.load("en", "stop-the-train"));

const files = import.meta.glob<{ default: Sight }>("./scenes/end*.json", { eager: true });
const scene = (name: string) => structuredClone(files[`./scenes/${name}.json`]!.default);
const happened = (...events: Game["event"][]): Happened[] => [{ n: 1, events }];
const ballot = (seat: number, other: number): Game["event"] => ({
  key: "event.ballot",
  args: { seat, other },
});
const meeting: Game["event"] = { key: "event.meeting", args: { minutes: 3 } };

describe("how the votes fell", () => {
  const votes = [ballot(0, 3), ballot(1, 3), ballot(2, 3), ballot(3, 0), ballot(4, 0)];

  test("one for each, the most first", () => {
    expect(tallies(happened(meeting, ...votes))).toEqual([[3, 2]]);
  });

  test("first class counts double, at that meeting", () => {
    const double: Game["event"] = { key: "event.first-class", args: { seat: 1 } };
    expect(tallies(happened(meeting, double, ...votes, meeting, ...votes))).toEqual([
      [4, 2],
      [3, 2],
    ]);
  });

  test("of a secret ballot the sums are told, and nothing else", () => {
    const sums: Game["event"][] = [
      { key: "event.ballots", args: { seat: 0, count: 2 } },
      { key: "event.ballots", args: { seat: 3, count: 4 } },
    ];
    expect(tallies(happened(meeting, ...sums))).toEqual([[4, 2]]);
  });

  test("the end shows them beside who was thrown off", () => {
    const sight = scene("end-off");
    const view = seen(sight);
    const run = story(view, sight.happened);
    expect(run.votes).toHaveLength(view.meetings.length);
    for (const mark of run.marks.filter(({ what }) => what === "off"))
      expect(run.votes).toContainEqual(mark.votes);
  });
});

describe("how the route came about", () => {
  /** The scene with its vote as it is told here. */
  function route(imposed: boolean, event: Game["event"]): string {
    const sight = scene("end");
    const view = { ...seen(sight), vote: { ...seen(sight).vote, imposed, counted: [COUNTED] } };
    const told_ = { ...sight, happened: happened(event), scene: { ...sight.scene, view } };
    const mark = story(view, told_.happened).marks.find(({ what }) => what === "vote")!;
    return told(told_, mark).text;
  }
  const COUNTED = { voters: [0, 1, 2, 3, 4], tally: [2, 3, 0] };

  test("by votes", () => {
    expect(route(false, { key: "event.route", args: { route: "viaduct" } })).toBe("3 : 2");
  });

  test("by a card against them: no votes are shown, but whose card it was", () => {
    const imposed: Game["event"] = { key: "event.imposed", args: { seat: 1, route: "viaduct" } };
    expect(route(true, imposed)).toBe("Run the Red: Bruno");
  });

  test("by a card after a tie", () => {
    const swung: Game["event"] = { key: "event.swung", args: { seat: 0, route: "viaduct" } };
    expect(route(false, swung)).toBe("3 : 2, Swing Vote: Ada");
  });
});

describe("why", () => {
  const reason = (key: string, held: boolean, args: Record<string, unknown> = {}) => ({
    key: `reason.${key}`,
    held,
    args,
  });
  const outcome = (won: boolean, ...reasons: Outcome["reasons"] & object): Outcome => ({
    won,
    reasons,
  });

  test("who lost reads what was needed and failed", () => {
    const lost = outcome(
      false,
      reason("stopped", true),
      reason("aboard", false),
      reason("either.permit", false),
    );
    expect(deciding(lost).map(({ key }) => key)).toEqual(["reason.aboard"]);
    expect(because(lost, "")).toBe("you were no longer on board");
  });

  test("or that every way out was closed, and where the train went instead", () => {
    const lost = outcome(
      false,
      reason("stopped", true),
      reason("either.route", false, { route: "fast-track" }),
      reason("either.permit", false),
    );
    expect(because(lost, "viaduct")).toBe(
      "the train took the Viaduct route instead of the Fast Track and you had no permit",
    );
    expect(because(lost, "")).toBe("the train did not take the Fast Track and you had no permit");
  });

  test("who won reads what held", () => {
    const won = outcome(
      true,
      reason("stopped", true),
      reason("either.route", false, { route: "fast-track" }),
      reason("either.permit", true),
    );
    expect(because(won, "viaduct")).toBe("the train stopped and you had a permit");
  });

  test("every condition has its words, in every language", async () => {
    const keys = Object.keys(en).filter((key) => key.startsWith("reason."));
    expect(keys.length).toBeGreaterThan(15);
    for (const lang of LANGUAGES) {
      await voice.load(lang, "stop-the-train");
      for (const key of keys)
        for (const held of [true, false]) {
          const args = { route: "fast-track", count: 2 };
          const said = because({ won: held, reasons: [{ key, held, args }] }, "viaduct");
          expect(said, `${lang} ${key} ${held}`).not.toMatch(/⟨|^$/);
        }
    }
    await voice.load("en", "stop-the-train");
  });
});
