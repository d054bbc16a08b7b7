import { PurserError } from "@purser/client";
import { describe, expect, it } from "vitest";
import { type ChangeAttempt, createChangeAttempts, undefinedIfApplied } from "./attempts.ts";

const lost = new PurserError("NETWORK_FAILURE", "", { retryable: true });
const proxy = new PurserError("UNEXPECTED_RESPONSE", "", { status: 502, retryable: true });
const running = new PurserError("IDEMPOTENCY_IN_PROGRESS", "", { status: 409, retryable: true });
const refused = new PurserError("VALIDATION_FAILED", "", { status: 400 });

/** Makes changes whose answers are these, null for a success, and returns the key of each. */
async function keysOf(changes: readonly (readonly [input: unknown, answer: Error | null])[]) {
  const attempt = createChangeAttempts();
  const keys: string[] = [];
  for (const [input, answer] of changes) {
    const change = ({ idempotencyKey }: ChangeAttempt) => {
      keys.push(idempotencyKey);
      return answer === null ? Promise.resolve() : Promise.reject(answer);
    };
    await attempt(input, change).catch((error: unknown) => expect(error).toBe(answer));
  }
  return keys;
}

describe("the attempts of a person to make a change", () => {
  it.each([
    ["no answer arrives", lost],
    ["a proxy answers", proxy],
    ["the first attempt is still running", running],
    ["something else fails", new Error("unknown")],
  ])("have the same key when %s", async (_, answer) => {
    const input = { name: "Travel" };
    const [first, second, third] = await keysOf([
      [input, answer],
      [{ ...input }, answer],
      [input, null],
    ]);
    expect(first).toMatch(/^[\x21-\x7e]{8,255}$/);
    expect([second, third]).toEqual([first, first]);
  });

  it("have another key when the service has answered, or the input is another one", async () => {
    const keys = await keysOf([
      [{ amount: 1 }, null],
      [{ amount: 1 }, refused],
      [{ amount: 1 }, lost],
      [{ amount: 2 }, lost],
      [{ amount: 1 }, null],
    ]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("have a key without an input, too", async () => {
    const [first, second] = await keysOf([
      [undefined, lost],
      [undefined, null],
    ]);
    expect(second).toBe(first);
  });
});

describe("undefinedIfApplied", () => {
  it("tells the change that an attempt without an answer has made from one that is refused", async () => {
    const made = new PurserError("IDEMPOTENCY_KEY_REUSED", "", { status: 409 });
    expect(await undefinedIfApplied(Promise.resolve("secret"))).toBe("secret");
    expect(await undefinedIfApplied(Promise.reject(made))).toBeUndefined();
    await expect(undefinedIfApplied(Promise.reject(refused))).rejects.toBe(refused);
  });
});
