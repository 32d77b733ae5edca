import { expect, it } from "vitest";
import type { Presence, RoomView } from "../../src/generated/protocol";
import { present } from "../../src/lib/presence";

const room = {
  code: "ABCDEF",
  seats: [{ kind: "person", name: "Ada", present: true }, { kind: "empty" }],
  people: [
    { number: 1, name: "Ada", present: true },
    { number: 2, name: "Bruno", hushed: true },
  ],
} as unknown as RoomView;

const told = (news: Omit<Presence, "t">) => present(room, { t: "presence", ...news });

it("knows who is new, and who is back", () => {
  const carla = { number: 3, name: "Carla", present: true };
  const bruno = { number: 2, name: "Bruno", hushed: true, present: true };
  const after = told({ came: [bruno, carla], seats: [0], watchers: 2 });
  expect(after.people).toEqual([room.people[0], bruno, carla]);
  expect(after.watchers).toBe(2);
});

it("knows who went, and that nobody sits there now", () => {
  const after = told({ went: [1] });
  expect(after.people.map((person) => person.present ?? false)).toEqual([false, false]);
  expect(after.seats.map((seat) => seat.present)).toEqual([false, false]);
  expect(after.watchers).toBe(0);
});

it("leaves the rest as it was", () => {
  expect(told({ seats: [0] })).toMatchObject({ code: "ABCDEF", people: room.people });
});
