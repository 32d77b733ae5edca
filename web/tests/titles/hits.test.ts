/* What hits somebody: it is told to them, to nobody else, and not as a surprise where they did it themselves. */
import { beforeAll, describe, expect, it } from "vitest";
import { tell, voice } from "../../src/lib/words/index.svelte";
import { board, type Hit } from "../../src/titles";

const NAMES = ["Ada", "Bruno", "Carla"];
const ADA = 0;

interface Event {
  key: string;
  args: Record<string, unknown>;
}
const event = (key: string, args: Record<string, unknown>): Event => ({ key, args });

async function hits(title: string, events: Event[], seat = ADA): Promise<Hit[]> {
  return (await board(title)).hits!(events, seat);
}

async function told(title: string, events: Event[], seat = ADA): Promise<string[]> {
  return (await hits(title, events, seat)).map(({ line }) => tell(line, NAMES));
}

describe("Stop the Train!", () => {
  beforeAll(() => voice.load("en", "stop-the-train"));
  const said = (events: Event[], seat?: number) => told("stop-the-train", events, seat);
  const bruno = { seat: 1, other: ADA };

  it.each([
    ["event.permit.from", bruno, "Bruno stole your permit"],
    ["event.robbed", bruno, "Bruno stole one of your interventions"],
    ["event.robbed.own", { ...bruno, card: "spy" }, "Bruno stole one of your interventions"],
    ["event.looked", bruno, "Bruno has read your papers"],
    [
      "event.intervened.seat",
      { ...bruno, card: "murder-in-the-dark" },
      "Bruno plays “Murder in the Dark” and names you",
    ],
    ["event.cancelled", { ...bruno, card: "spy" }, "Bruno cancels your “Spy”"],
    ["event.showdown.won", bruno, "Bruno takes all your permits"],
    ["event.ballot", bruno, "Bruno votes to throw you off"],
    ["event.dragged", bruno, "Bruno drags you along"],
    ["event.pulled", { ...bruno, victim: 2 }, "Bruno drags you along"],
    ["event.saved", bruno, "Bruno has saved you"],
    ["saying.accuse", bruno, "Bruno suspects you"],
    ["event.murdered", { seat: ADA }, "You have been murdered"],
    ["event.burned", { seat: ADA }, "One of your permits has been burned"],
    ["event.gun", { seat: ADA }, "You must discard two cards and pass just one"],
    [
      "event.seized",
      { seat: ADA, effect: "accelerate" },
      "You must discard “Accelerate” and play the other card",
    ],
    ["event.arrested", { seat: ADA }, "You may not vote on the route"],
    ["event.falling", { seat: ADA, count: 3 }, "3 votes against you: the door swings open"],
    ["event.off", { seat: ADA }, "You are off the train"],
  ])("%s is told to whom it hits, and to nobody else", async (key, args, line) => {
    expect(await said([event(key, args)])).toEqual([line]);
    expect(await said([event(key, args)], 1)).toEqual([]);
    expect(await said([event(key, args)], 2)).toEqual([]);
  });

  it("what others do to others, or I to myself, is no hit", async () => {
    const mine = event("event.ballot", { seat: ADA, other: ADA });
    const theirs = event("event.permit.from", { seat: 1, other: 2 });
    expect(await said([mine, theirs, event("event.permit", { seat: ADA })])).toEqual([]);
  });
});

describe("Tachite al Tram", () => {
  beforeAll(() => voice.load("en", "tachite-al-tram", { "place.E7": "E7" }));
  const said = (...events: Event[]) => told("tachite-al-tram", events);
  const damaged = event("event.damaged", { seat: ADA, damage: 2 });
  const card = event("event.misfortune", { seat: 1, card: "spritz" });

  it("another tram runs into mine", async () => {
    const collided = event("event.collided", { seat: 1, others: [ADA], at: "E7" });
    expect(await said(collided, damaged)).toEqual([
      "Bruno ran into you: E7",
      "Your tram is damaged: 2 of 3",
    ]);
  });

  it("who drives into another, or off the rails, knows it", async () => {
    expect(
      await said(event("event.ran-off", { seat: ADA, path: ["E7"], at: "E7" }), damaged),
    ).toEqual([]);
    const collided = event("event.collided", { seat: ADA, others: [1], at: "E7" });
    expect(
      await said(collided, damaged, event("event.wrecked", { seat: ADA, passengers: [] })),
    ).toEqual([]);
  });

  it("what a card does is shown by the board; some of it is good news", async () => {
    const repaired = event("event.repaired", { seat: ADA, damage: 1 });
    const found = await hits("tachite-al-tram", [card, damaged, repaired]);
    expect(found.map(({ good = false, shown }) => [good, shown])).toEqual([
      [false, true],
      [true, true],
    ]);
    // In the workshop one repairs oneself.
    expect(await said(repaired)).toEqual([]);
  });
});

describe("Trial by Trolley", () => {
  beforeAll(() => voice.load("en", "trial-by-trolley"));

  it("the trolley runs over those on its track", async () => {
    const verdict = event("event.verdict", { seat: 2, track: "north", team: [ADA] });
    expect(await told("trial-by-trolley", [verdict])).toEqual([
      "Carla sends the trolley your way: a death token for you",
    ]);
    expect(await told("trial-by-trolley", [verdict], 1)).toEqual([]);
  });
});
