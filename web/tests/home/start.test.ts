import { expect, it, vi } from "vitest";
import type { NewRoom, RoomView, TitleView } from "../../src/generated/protocol";
import { api } from "../../src/lib/api";
import { playNow, playWithFriends } from "../../src/screens/home/start";

const title = { id: "stop-the-train", bots: ["passenger"], presets: {} } as unknown as TitleView;

async function asked(start: () => Promise<void>): Promise<NewRoom> {
  const create = vi.spyOn(api, "create").mockResolvedValue({ code: "ABCDEF" } as RoomView);
  await start();
  return create.mock.lastCall![0];
}

it("alone with bots nobody watches, so that nobody waits for what nobody sees", async () => {
  const wish = await asked(() => playNow(title));
  expect(wish).toMatchObject({ start: true, settings: { watching: false } });
});

it("with friends the room is as the server makes it", async () => {
  const wish = await asked(() => playWithFriends(title));
  expect(wish.settings).toBeUndefined();
});

it("a title that nobody drew a poster for is played with as few as may play", async () => {
  const own = { ...title, id: "coast-mail", seats: [2, 3, 4], unofficial: [2] };
  const wish = await asked(() => playNow(own));
  expect(wish.bots).toEqual(["passenger", "passenger"]);
});
