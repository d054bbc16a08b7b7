import { Problem } from "@purser/core";
import { PoolTimeoutError } from "@purser/db";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type BatcherOptions, createBatcher } from "./batcher.ts";

afterEach(() => vi.useRealTimers());

/** Batches words. Each batch is recorded, and ends on command: with the words in capitals, or with a failure. */
function batchWords(options: Partial<BatcherOptions<string, string>> = {}) {
  const batches: string[] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const batched = createBatcher<string, string>({
    run(words) {
      batches.push(words.join(" "));
      return new Promise((resolve, reject) => {
        ends.push((failure) =>
          failure ? reject(failure) : resolve(words.map((word) => word.toUpperCase())),
        );
      });
    },
    maxBatchSize: 3,
    maxWaitMs: 1000,
    ...options,
  });
  /** The result of a word: its capitals, or an error. */
  const call = (word: string) => batched(word).catch((error: Error) => error.message);
  /** Ends the longest-running batch, and waits for what follows from it. */
  const end = async (failure?: Error) => {
    ends.shift()!(failure);
    await new Promise(setImmediate);
  };
  return { call, batches, end };
}

describe("createBatcher", () => {
  it("runs a single call at once, and the calls that arrive meanwhile as one batch, in order", async () => {
    const { call, batches, end } = batchWords();
    const calls = [call("a")];
    expect(batches).toEqual(["a"]);
    calls.push(...["b", "c", "d", "e"].map(call));
    expect(batches).toEqual(["a"]);
    await end();
    expect(batches).toEqual(["a", "b c d"]);
    calls.push(call("f"));
    await end();
    expect(batches).toEqual(["a", "b c d", "e f"]);
    await end();
    expect(await Promise.all(calls)).toEqual(["A", "B", "C", "D", "E", "F"]);
  });

  it("isolates failures: a failed batch runs again one call at a time", async () => {
    const { call, batches, end } = batchWords();
    const calls = ["a", "b", "c", "d"].map(call);
    await end(new Error("a is bad"));
    await end(new Error("one of them is bad"));
    expect(batches.at(-1)).toBe("b");
    await end();
    await end(new Error("c is bad"));
    await end();
    expect(batches).toEqual(["a", "b c d", "b", "c", "d"]);
    expect(await Promise.all(calls)).toEqual(["a is bad", "B", "c is bad", "D"]);
  });

  it("isolates what needs a node of a cluster that is down", async () => {
    const { call, batches, end } = batchWords();
    const calls = ["a", "b", "c"].map(call);
    await end();
    const down = Object.assign(new Error("down"), { code: "08006" });
    await end(down);
    await end(down);
    await end();
    expect(batches).toEqual(["a", "b c", "b", "c"]);
    expect(await Promise.all(calls)).toEqual(["A", "down", "C"]);
  });

  it.each([
    ["no connection", new PoolTimeoutError("busy")],
    ["a time limit", Object.assign(new Error("busy"), { name: "PostgresError", code: "57014" })],
  ])("rejects the whole batch on %s, and continues with later calls", async (_what, failure) => {
    const { call, batches, end } = batchWords();
    const calls = ["a", "b", "c", "d", "e"].map(call);
    await end();
    await end(failure);
    await end();
    expect(batches).toEqual(["a", "b c d", "e"]);
    expect(await Promise.all(calls)).toEqual(["A", "busy", "busy", "busy", "E"]);
  });

  it("runs one batch per group at a time, and up to the limit of concurrent batches", async () => {
    const groupOf = (word: string) => word.charAt(0);
    const { call, batches, end } = batchWords({ groupOf, maxConcurrentBatches: 2 });
    const calls = ["a1", "a2", "b1", "c1", "a3", "c2"].map(call);
    expect(batches).toEqual(["a1", "b1"]);
    await end();
    expect(batches).toEqual(["a1", "b1", "a2 a3"]);
    await end();
    expect(batches).toEqual(["a1", "b1", "a2 a3", "c1 c2"]);
    await end();
    await end();
    expect(await Promise.all(calls)).toEqual(["A1", "A2", "B1", "C1", "A3", "C2"]);
  });

  it("does not start a call that has waited too long", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { call, batches, end } = batchWords();
    const calls = [call("a"), call("late")];
    vi.advanceTimersByTime(600);
    calls.push(call("b"));
    vi.advanceTimersByTime(600);
    await end();
    await end();
    expect(batches).toEqual(["a", "b"]);
    expect(await Promise.all(calls)).toEqual(["A", new Problem("UNAVAILABLE").message, "B"]);
  });
});
