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
