import { day } from "@purser/core/testing";
import { apiKeys } from "@purser/db";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestAuth, createTestAuth } from "./testing/client.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth();
});
afterAll(() => test.purser.close());

describe("/api/auth/api-key/list", () => {
  it("lists all keys of the caller in pages, newest first", async () => {
    const { client } = await test.signUp("many@example.com");
    for (let created = 0; created < 130; created += 1) {
      test.purser.clock.advance(1);
      await test.auth.createApiKey("many@example.com", { name: `Key ${created}` });
    }
    const namesOf = ({ body }: { body: Record<string, unknown> }) =>
      (body["apiKeys"] as { name: string }[]).map(({ name }) => name);
    const all = await client.get("/api-key/list");
    expect(all.body["total"]).toBe(130);
    expect(namesOf(all)).toEqual(Array.from({ length: 130 }, (_, index) => `Key ${129 - index}`));
    const page = await client.get("/api-key/list?limit=3&offset=126");
    expect([namesOf(page), page.body["total"]]).toEqual([["Key 3", "Key 2", "Key 1"], 130]);
  });
});

describe("an API key that has expired by the process's clock, but not by the database's", () => {
  it("is kept by requests that list keys or present it, and works", async () => {
    const ahead = await createTestAuth({}, { databaseAheadMs: -400 * day });
    const { db, clock } = ahead.purser;
    const { client, userId } = await ahead.signUp("owner@example.com");
    const { id, key } = await ahead.auth.createApiKey("owner@example.com", { name: "server" });
    const expiresAt = new Date(clock.now().getTime() + 90 * day);
    await db.update(apiKeys).set({ expiresAt }).where(eq(apiKeys.id, id));
    const headers = { "x-api-key": key };
    await ahead.client().get("/get-session", headers);
    // better-auth cleans up at most once in ten seconds.
    clock.advance(10_000);
    expect((await client.get("/api-key/list")).status).toBe(200);
    await expect(ahead.auth.resolveCaller(new Headers(headers))).resolves.toMatchObject({ userId });
    expect(await db.select({ id: apiKeys.id }).from(apiKeys)).toEqual([{ id }]);
    await ahead.purser.close();
  });

  it("is deleted by its owner all the same", async () => {
    const { client } = await test.signUp("deleting@example.com");
    const { id } = await test.auth.createApiKey("deleting@example.com", { name: "old", expiresInDays: 1 });
    test.purser.clock.advance(2 * day);
    expect((await client.get("/api-key/list")).body).toMatchObject({ apiKeys: [{ id }] });
    expect((await client.post("/api-key/delete", { keyId: id })).status).toBe(200);
    expect((await client.get("/api-key/list")).body).toMatchObject({ apiKeys: [] });
  });
});
