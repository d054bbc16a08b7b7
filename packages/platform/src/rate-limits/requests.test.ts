import { minute, testClock } from "@purser/core/testing";
import { rateLimits } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RateLimitResult, createRequestLimit } from "./requests.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const limited = (requestsPerCaller: number, clock = purser.platform.clock) =>
  createRequestLimit({
    ...purser.platform,
    clock,
    settings: { ...purser.platform.settings, requestsPerCaller },
  });
const granted = (permits: RateLimitResult[]) => permits.filter(({ ok }) => ok).length;
const take = async (limit: ReturnType<typeof limited>, key: string, count: number) =>
  granted(await Promise.all(Array.from({ length: count }, async () => limit.take(key))));

describe("requestLimit.take", () => {
  it.each([1, 7, 20, 21, 100, 999])("grants exactly %i permits a minute", async (requests) => {
    const limit = limited(requests);
    expect(await take(limit, `exactly-${requests}`, requests + 50)).toBe(requests);
  });

  it("reports when the minute ends, and resets then", async () => {
    purser.clock.set("2026-03-02T09:00:12.500Z");
    const limit = limited(3);
    expect(await take(limit, "minute", 3)).toBe(3);
    expect(await limit.take("minute")).toEqual({ ok: false, retryAfterSeconds: 48 });
    purser.clock.set("2026-03-02T09:00:59.999Z");
    expect(await limit.take("minute")).toEqual({ ok: false, retryAfterSeconds: 1 });
    purser.clock.set("2026-03-02T09:01:00.000Z");
    expect(await take(limit, "minute", 10)).toBe(3);
  });

  it("never exceeds the limit over several processes", async () => {
    purser.clock.advance(minute);
    const processes = Array.from({ length: 5 }, () => limited(203));
    const counts = await Promise.all(processes.map((process) => take(process, "shared", 203)));
    const sum = counts.reduce((total, count) => total + count, 0);
    expect(sum).toBe(203);
  });

  it("starts a new minute, in all processes together, after the clock is set back", async () => {
    purser.clock.set("2026-03-02T09:30:30.000Z");
    const [one, other] = [limited(3), limited(3)];
    expect(await take(one, "set back", 4)).toBe(3);
    expect(await take(other, "set back", 1)).toBe(0);
    purser.clock.set("2026-03-02T09:20:30.000Z");
    expect(one.isSpent("set back")).toBe(false);
    expect(await take(one, "set back", 4)).toBe(3);
    expect(await other.take("set back")).toEqual({ ok: false, retryAfterSeconds: 30 });
  });

  it("counts in one minute for processes of which one enters it later", async () => {
    const early = limited(3, testClock("2026-03-02T09:41:00.100Z"));
    const late = limited(3, testClock("2026-03-02T09:40:59.900Z"));
    expect(await take(early, "entering", 3)).toBe(3);
    expect(await take(late, "entering", 1)).toBe(0);
  });

  it("does not let one key use another's", async () => {
    const limit = limited(2);
    expect(await take(limit, "one", 5)).toBe(2);
    expect(await take(limit, "two", 5)).toBe(2);
  });

  it("writes once per block of permits", async () => {
    const limit = limited(2000);
    await take(limit, "block", 100);
    const used = async () =>
      (await purser.db.select().from(rateLimits)).find(({ key }) => key === "requests:block");
    expect(await used()).toMatchObject({ used: 100 });
    await take(limit, "block", 1);
    expect(await used()).toMatchObject({ used: 200 });
  });
});

describe("requestLimit.isSpent", () => {
  it("is true from the last permit of a key until the minute ends", async () => {
    purser.clock.set("2026-03-02T09:10:00.000Z");
    const limit = limited(2);
    const seen = [limit.isSpent("spent")];
    for (let request = 0; request < 2; request += 1) {
      await limit.take("spent");
      seen.push(limit.isSpent("spent"));
    }
    expect(seen).toEqual([false, false, true]);
    expect(limit.isSpent("other")).toBe(false);
    purser.clock.advance(minute);
    expect(limit.isSpent("spent")).toBe(false);
  });
});

describe("requestLimit.purge", () => {
  it("deletes past minutes and keeps the present one", async () => {
    const limit = limited(2);
    await limit.take("past");
    purser.clock.advance(2 * minute);
    await limit.take("present");
    await limit.purge();
    const keys = (await purser.db.select().from(rateLimits)).map(({ key }) => key);
    expect(keys).toEqual(["requests:present"]);
    expect(await limit.take("past")).toEqual({ ok: true });
  });
});
