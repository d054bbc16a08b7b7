import { describe, expect, it } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

describe("createConcurrencyLimit", () => {
  it("runs all work in order of arrival, at most the limit at once", async () => {
    const limited = createConcurrencyLimit(3);
    const started: number[] = [];
    let running = 0;
    let most = 0;
    const work = Array.from({ length: 20 }, (_, index) =>
      limited(async () => {
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
    const failed = limited(() => Promise.reject(new Error("failed")));
    const next = limited(async () => "done");
    await expect(failed).rejects.toThrow("failed");
    expect(await next).toBe("done");
    expect(await limited(async () => "again")).toBe("again");
  });
});
