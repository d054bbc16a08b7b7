import { describe, expect, it } from "vitest";
import {
  hasFailedTooLong,
  isGone,
  isSuccess,
  retryUnreadableAt,
  maxAttempts,
  nextAttemptAfter,
} from "./rules.ts";

const at = new Date("2026-03-02T09:00:00.000Z");
const [second, minute, hour] = [1000, 60_000, 3_600_000];
const wait = (attemptCount: number, more: { retryAfterSeconds?: number; random?: number } = {}) => {
  const next = nextAttemptAfter({ at, attemptCount, random: 0.5, ...more });
  return next && next.getTime() - at.getTime();
};

describe("the next attempt", () => {
  it("comes after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and never after the tenth", () => {
    expect(Array.from({ length: maxAttempts }, (_, made) => wait(made + 1))).toEqual([
      5 * second,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
      null,
    ]);
  });

  it("varies by a tenth to either side", () => {
    expect(wait(1, { random: 0 })).toBe(4500);
    expect(wait(1, { random: 1 })).toBe(5500);
  });

  it("follows Retry-After up to the next step", () => {
    expect(wait(2, { retryAfterSeconds: 7 })).toBe(7 * second);
    expect(wait(2, { retryAfterSeconds: 3600 })).toBe(5 * minute);
    expect(wait(2, { retryAfterSeconds: 0 })).toBe(second);
    expect(wait(10, { retryAfterSeconds: 1 })).toBe(null);
  });
});

describe("the next look at an event that this process cannot read", () => {
  it.each([
    { waited: 0, pause: 5 * second },
    { waited: 20 * second, pause: 20 * second },
    { waited: hour, pause: minute },
  ])("comes after $pause ms if it has waited for $waited ms", ({ waited, pause }) => {
    const createdAt = new Date(at.getTime() - waited);
    expect(retryUnreadableAt(createdAt, at).getTime() - at.getTime()).toBe(pause);
  });
});

describe("an answer", () => {
  it("is a success only with 2xx", () => {
    const statuses = [null, 101, 200, 204, 299, 300, 302, 308, 400, 410, 500];
    expect(statuses.filter((status) => isSuccess(status))).toEqual([200, 204, 299]);
    expect(statuses.filter((status) => isGone(status))).toEqual([410]);
  });
});

describe("an endpoint", () => {
  it("is given up after five days of nothing but failures", () => {
    const since = (days: number) => new Date(at.getTime() - days * 24 * hour);
    expect(hasFailedTooLong(null, at)).toBe(false);
    expect(hasFailedTooLong(since(4.99), at)).toBe(false);
    expect(hasFailedTooLong(since(5), at)).toBe(true);
  });
});
