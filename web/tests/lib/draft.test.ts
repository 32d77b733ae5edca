import { afterEach, beforeEach, expect, it, vi } from "vitest";

const KEY = "capolinea-drafts";

/** The page as it is after it was loaded: modules begin anew. */
async function page() {
  vi.resetModules();
  return await import("../../src/lib/draft");
}
function field(value = ""): HTMLInputElement {
  const made = document.createElement("input");
  made.value = value;
  return made;
}

beforeEach(() => sessionStorage.clear());
afterEach(() => sessionStorage.clear());

it("each field takes back what was its own, and says so", async () => {
  const before = await page();
  before.draft(field("Ciao"), "chat m1 0");
  before.draft(field("Ada"), "name ABCDEF");
  before.draft(field(), "code");
  before.keepDrafts();

  const { draft } = await page();
  const [other, chat] = [field(), field()];
  const told: string[] = [];
  chat.addEventListener("input", () => told.push(chat.value));
  draft(other, "chat m1 1");
  draft(chat, "chat m1 0");
  expect([other.value, chat.value, told]).toEqual(["", "Ciao", ["Ciao"]]);
  const again = field();
  draft(again, "chat m1 0");
  expect(again.value).toBe("");
});

it("what was sent and not answered is written again", async () => {
  const before = await page();
  const chat = field();
  chat.dataset.going = "Is anybody there?";
  before.draft(chat, "chat m1 0");
  before.keepDrafts();
  const after = field();
  (await page()).draft(after, "chat m1 0");
  expect(after.value).toBe("Is anybody there?");
});

it("what nobody took back is kept for the next time, and nothing stays behind otherwise", async () => {
  const before = await page();
  before.draft(field("Ciao"), "chat m1 0");
  before.keepDrafts();
  const between = await page();
  expect(sessionStorage.getItem(KEY)).toBeNull();
  between.keepDrafts();
  const after = field();
  (await page()).draft(after, "chat m1 0");
  expect(after.value).toBe("Ciao");
});

it("a field that is gone is not asked", async () => {
  const before = await page();
  before.draft(field("Ciao"), "chat m1 0").destroy?.();
  before.keepDrafts();
  expect(sessionStorage.getItem(KEY)).toBe("[]");
});

it("what was begun before it was known whose it is goes to them", async () => {
  const before = await page();
  before.draft(field("Ciao"), "chat ABCDEF null").update?.("chat ABCDEF 3");
  before.keepDrafts();
  const after = field();
  (await page()).draft(after, "chat ABCDEF 3");
  expect(after.value).toBe("Ciao");
});

it("what was written for a team comes back when the field is for that team, and for nobody else", async () => {
  const before = await page();
  before.draft(field("They are asleep"), "chat m1 0 table").update?.("chat m1 0 0,1");
  before.keepDrafts();
  const { draft } = await page();
  const chat = field();
  const { update } = draft(chat, "chat m1 0 table");
  expect(chat.value).toBe("");
  update?.("chat m1 0 0,1");
  expect(chat.value).toBe("They are asleep");
});
