import { describe, expect, it } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

describe("gate", () => {
  it("runs all work, no more of it at once than it is told, in the order it came", async () => {
    const gate = createConcurrencyLimit(3);
    const started: number[] = [];
    let running = 0;
    let most = 0;
    const work = Array.from({ length: 20 }, (_, index) =>
      gate(async () => {
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

  it("gives the place of work that failed to the next", async () => {
    const gate = createConcurrencyLimit(1);
    const failed = gate(() => Promise.reject(new Error("failed")));
    const next = gate(async () => "done");
    await expect(failed).rejects.toThrow("failed");
    expect(await next).toBe("done");
    expect(await gate(async () => "again")).toBe("again");
  });
});
