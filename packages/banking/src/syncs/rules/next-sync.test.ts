import { isNightly } from "@purser/core/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowedFrom, nextSync } from "./next-sync.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = new Date("2026-03-02T09:00:00Z");

/** The time from now until the next sync. */
const wait = (past: Partial<Parameters<typeof nextSync>[0]>) =>
  nextSync({ now, unattendedStarts: [], quota: null, failures: 0, ...past }).getTime() - now.getTime();

const ago = (...milliseconds: number[]) => milliseconds.map((one) => new Date(now.getTime() - one));

describe("nextSync", () => {
  it("is due four times a day, or less often if the provider allows less", () => {
    expect(wait({})).toBe(6 * hour);
    expect(wait({ quota: 4 })).toBe(6 * hour);
    expect(wait({ quota: 100 })).toBe(6 * hour);
    expect(wait({ quota: 2 })).toBe(12 * hour);
  });

  it("is due soon after a failure, with increasing delays", () => {
    const waits = [1, 2, 3, 4, 50].map((failures) => wait({ failures }));
    expect(waits).toEqual([2 * minute, 4 * minute, 8 * minute, 16 * minute, 6 * hour]);
  });

  it("spreads few attempts over the day if reads are limited", () => {
    const waits = [1, 2, 3].map((failures) => wait({ failures, quota: 4 }));
    expect(waits).toEqual([2 * minute, 30 * minute, 6 * hour]);
  });

  it("is not due before the provider's retry time", () => {
    expect(wait({ failures: 1, retryAfterSeconds: 3600 })).toBe(hour);
    expect(wait({ failures: 9, retryAfterSeconds: 60 })).toBe(6 * hour);
  });

  it("is due within a day, however long the provider asks to wait", () => {
    expect(wait({ failures: 1, retryAfterSeconds: 86_400 })).toBe(day);
    expect(wait({ failures: 1, retryAfterSeconds: 86_400_000 })).toBe(day);
  });

  it("waits until the oldest read of a full quota is a day old", () => {
    const unattendedStarts = ago(hour, 5 * hour, 9 * hour, 13 * hour);
    expect(wait({ quota: 4, unattendedStarts })).toBe(11 * hour);
    expect(wait({ quota: 4, unattendedStarts: unattendedStarts.slice(0, 3) })).toBe(6 * hour);
  });

  it("never exceeds the quota of reads within 24 hours, whatever their outcome", () => {
    const read = fc.record({
      fails: fc.boolean(),
      delay: fc.nat({ max: 3 * hour }),
      retryAfter: fc.nat({ max: 9999 }),
    });
    const history = fc.record({
      quota: fc.integer({ min: 1, max: 6 }),
      reads: fc.array(read, { maxLength: 40 }),
    });
    fc.assert(
      fc.property(history, ({ quota, reads }) => {
        const starts: number[] = [];
        let failures = 0;
        let present = now.getTime();
        for (const { fails, delay, retryAfter } of reads) {
          starts.push(present);
          failures = fails ? failures + 1 : 0;
          // A read takes time, and the next one may start later than scheduled.
          const end = present + Math.floor(delay / 10);
          const unattendedStarts = starts
            .filter((start) => start >= end - day)
            .toReversed()
            .map((start) => new Date(start));
          const past = {
            now: new Date(end),
            unattendedStarts,
            quota,
            failures,
            retryAfterSeconds: retryAfter,
          };
          present = nextSync(past).getTime() + delay;
        }
        for (const start of starts)
          expect(starts.filter((one) => one >= start && one < start + day).length).toBeLessThanOrEqual(quota);
      }),
      { numRuns: isNightly ? 20_000 : 300 },
    );
  });
});

describe("allowedFrom", () => {
  it("is now while the quota has room, or if there is none", () => {
    expect(allowedFrom({ unattendedStarts: ago(hour, hour, hour), quota: 4 })).toBeNull();
    expect(allowedFrom({ unattendedStarts: ago(hour, hour, hour, hour, hour), quota: null })).toBeNull();
  });

  it("is a day after the oldest read that fills the quota", () => {
    const unattendedStarts = ago(hour, 2 * hour, 3 * hour);
    expect(allowedFrom({ unattendedStarts, quota: 2 })).toEqual(new Date(now.getTime() + 22 * hour));
  });
});
