import { describe, expect, it } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

describe("createConcurrencyLimit", () => {
  it("runs all work in order of arrival, at most the limit at once", async () => {
    const limited = createConcurrencyLimit(3);
    const started: number[] = [];
    let running = 0;
    let most = 0;
    const work = Array.from({ length: 20 }, (_, index) =>
      limited("key", async () => {
        started.push(index);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return index;
      }),
    );
    expect(await Promise.all(work)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(most).toBe(3);
    expect(started).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it("passes the slot of failed work to the next", async () => {
    const limited = createConcurrencyLimit(1);
    const failed = limited("key", () => Promise.reject(new Error("failed")));
    const next = limited("key", async () => "done");
    await expect(failed).rejects.toThrow("failed");
    expect(await next).toBe("done");
    expect(await limited("key", async () => "again")).toBe("again");
  });

  it("limits each key separately", async () => {
    const limited = createConcurrencyLimit(1);
    const release = Promise.withResolvers<void>();
    const held = limited("one", () => release.promise);
    expect(await limited("other", async () => "done")).toBe("done");
    release.resolve();
    await held;
  });

  it("rejects work that waits too long, and does not run it", async () => {
    const limited = createConcurrencyLimit(1);
    const release = Promise.withResolvers<void>();
    const held = limited("key", () => release.promise);
    let hasRun = false;
    const late = limited("key", async () => (hasRun = true), 1);
    await expect(late).rejects.toMatchObject({ code: "UNAVAILABLE" });
    release.resolve();
    await held;
    expect(await limited("key", async () => "done", 1)).toBe("done");
    expect(hasRun).toBe(false);
  });

  it("fails those who wait for work whose failure they would meet, and nobody else", async () => {
    const limited = createConcurrencyLimit(1, { failsWaiting: (error) => error === lost });
    const lost = new Error("lost");
    const work = Promise.withResolvers<never>();
    const failing = limited("key", () => work.promise);
    const waiting = [1, 2].map(() => limited("key", async () => expect.unreachable(), 60_000));
    const other = limited("other", async () => "done");
    work.reject(lost);
    await expect(failing).rejects.toBe(lost);
    for (const call of waiting)
      await expect(call).rejects.toMatchObject({ code: "UNAVAILABLE", cause: lost });
    expect(await other).toBe("done");
    expect(await limited("key", async () => "again")).toBe("again");
  });
});
