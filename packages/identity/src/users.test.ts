import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findUsers } from "./users.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

describe("findUsers", () => {
  it("finds users by more ids than a statement can have parameters", async () => {
    const { userId, name, email } = await purser.person();
    const unknown = Array.from({ length: 70_000 }, (_, index) => `user_${index}`);
    const found = await findUsers(purser.db, [userId, ...unknown, userId]);
    expect([...found]).toEqual([[userId, { id: userId, name, email, avatarUrl: null }]]);
  });
});
