import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Amount, Instant, Name } from "./fields.ts";
import { issuesOf } from "./issue.ts";
import { parseInput } from "./problem.ts";

const Input = z.strictObject({
  name: Name,
  amount: Amount.min(1),
  from: Instant.optional(),
  limit: z.int().min(1).max(1000).optional(),
  role: z.enum(["OWNER", "MEMBER"]).optional(),
  active: z.boolean().optional(),
  access: z.enum(["read", "write"]),
  terms: z.strictObject({ accepted: z.literal(true) }).optional(),
  accepted: z.literal(true).optional(),
  tags: z.array(z.string().max(1)).max(2).optional(),
  policy: z.strictObject({ days: z.array(z.int().max(6)) }).optional(),
});

const valid = { name: "Travel", amount: 1250, access: "read" };
const messages = (input: object | undefined) => {
  const { error } = Input.safeParse(input);
  return issuesOf(error!).map(({ path, message }) => [path.join("."), message]);
};

describe("the sentence of an issue", () => {
  it.each<[string, object, string, string]>([
    ["an absent field", { name: undefined }, "name", "Required"],
    ["an empty text", { name: " " }, "name", "Must have at least 1 character"],
    ["a long text", { name: "x".repeat(201) }, "name", "Must have at most 200 characters"],
    ["a wrong type", { name: 5 }, "name", "Must be a string"],
    ["a number as text", { limit: "5" }, "limit", "Must be a number"],
    ["a fraction", { limit: 1.5 }, "limit", "Must be an integer"],
    ["a number that is too large", { limit: 1001 }, "limit", "Must be at most 1000"],
    ["a number that is too small", { limit: 0 }, "limit", "Must be at least 1"],
    ["an unknown value", { role: "ADMIN" }, "role", "Must be one of OWNER, MEMBER"],
    ["an absent value of a few", { access: undefined }, "access", "Required"],
    ["null for a value of a few", { access: null }, "access", "Must be one of read, write"],
    ["an absent value in an object", { terms: {} }, "terms.accepted", "Required"],
    ["another value than the only one", { accepted: false }, "accepted", "Must be true"],
    ["a text for a boolean", { active: "yes" }, "active", "Must be true or false"],
    ["a text for a list", { tags: "a" }, "tags", "Must be an array"],
    ["a long list", { tags: ["a", "b", "c"] }, "tags", "Must have at most 2 items"],
    ["an item of a list", { tags: ["ab"] }, "tags.0", "Must have at most 1 character"],
    ["a list for an object", { policy: [] }, "policy", "Must be an object"],
    ["an unknown field", { limt: 5 }, "", 'Unrecognized key: "limt"'],
    [
      "an amount in major units",
      { amount: 12.5 },
      "amount",
      "Must be an integer in minor units, such as 1250 for £12.50",
    ],
    ["an amount out of range", { amount: 2 ** 53 }, "amount", "Must be at most 9007199254740991"],
    ["an amount that is too small", { amount: 0 }, "amount", "Must be at least 1"],
    ["an absent amount", { amount: undefined }, "amount", "Required"],
    [
      "a text for a date",
      { from: "01/03/2026" },
      "from",
      "Must be a valid Date; over REST a day, such as 2026-03-02, or a time with its offset, such as 2026-03-02T09:15:00Z",
    ],
    ["a date far away", { from: new Date(8e15) }, "from", "Must be in the year 9999 or earlier"],
  ])("says what the caller has to send instead of %s", (_what, wrong, path, message) => {
    expect(messages({ ...valid, ...wrong })).toEqual([[path, message]]);
  });

  it("says that there is no input at all", () => {
    expect(messages(undefined)).toEqual([["", "An input is required"]]);
  });
});

describe("the message of an invalid input", () => {
  const failure = (input: object): string => {
    try {
      parseInput(Input, input);
    } catch (error) {
      return (error as Error).message;
    }
    return "none";
  };

  it("names the fields, for a reader who sees only the message", () => {
    expect(failure({ ...valid, role: "ADMIN", policy: { days: [7] } })).toBe(
      "The input is not valid. role: Must be one of OWNER, MEMBER. policy.days.0: Must be at most 6.",
    );
    expect(failure({ ...valid, limt: 5 })).toBe('The input is not valid. Unrecognized key: "limt".');
  });

  it("names three of many, and stays short whatever the caller sends", () => {
    const many = failure({ ...valid, name: 5, amount: 5.5, limit: 0, role: "x", active: 0 });
    expect(many).toMatch(/^The input is not valid\. name: .*\. limit: .*\. 2 more: see the issues\.$/);
    expect(failure({ ...valid, ["n".repeat(100_000)]: 1 }).length).toBeLessThan(400);
  });
});
