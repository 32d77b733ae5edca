import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { settled, unanswered } from "../../src/lib/unanswered";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function isSettled(): Promise<() => boolean> {
  let found = false;
  void settled(1000).then(() => (found = true));
  await vi.advanceTimersByTimeAsync(0);
  return () => found;
}

it("nothing was sent: nobody waits", async () => {
  expect((await isSettled())()).toBe(true);
});

it("all that was sent is waited for", async () => {
  unanswered.add("a");
  unanswered.add("b");
  const now = await isSettled();
  unanswered.delete("a");
  await vi.advanceTimersByTimeAsync(10);
  expect(now()).toBe(false);
  unanswered.delete("b");
  await vi.advanceTimersByTimeAsync(0);
  expect(now()).toBe(true);
});

it("but not for ever", async () => {
  unanswered.add("a");
  const now = await isSettled();
  await vi.advanceTimersByTimeAsync(999);
  expect(now()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(now()).toBe(true);
  unanswered.delete("a");
});
