import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestServer, servePurser } from "../test/serve.ts";
import { createPurserClient } from "./client.ts";
import type { PurserClient } from "./generated/purser-client.ts";
import { paginate } from "./paginate.ts";

let purser: TestPurser;
let server: TestServer;
let owner: Person;
let client: PurserClient;
let newestFirst: string[];

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  server = await servePurser(purser, [owner]);
  client = createPurserClient({ baseUrl: server.baseUrl, token: owner.userId });
  newestFirst = [];
  for (const name of ["a", "b", "c", "d", "e", "f", "g"]) {
    purser.clock.advance(1000);
    await client.organizations.create({ name });
    newestFirst.unshift(name);
  }
});
afterAll(async () => {
  await server.close();
  await purser.close();
});
beforeEach(() => {
  server.requests.length = 0;
});

async function names(pages: AsyncIterable<{ name: string }>): Promise<string[]> {
  const all: string[] = [];
  for await (const { name } of pages) all.push(name);
  return all;
}

describe("paginate", () => {
  it.each([
    [100, 1],
    [8, 1],
    [7, 1],
    [3, 3],
    [1, 7],
  ])("yields every item once, newest first, with %i per page in %i requests", async (limit, requests) => {
    const pages = paginate(client.organizations.list, { userId: owner.userId }, { limit });
    expect(await names(pages)).toEqual(newestFirst);
    expect(server.requests).toHaveLength(requests);
  });

  it("starts after the item `after`", async () => {
    const [first] = await client.organizations.list({ userId: owner.userId, limit: 1 });
    const pages = paginate(
      client.organizations.list,
      { userId: owner.userId, after: first?.id },
      { limit: 4 },
    );
    expect(await names(pages)).toEqual(newestFirst.slice(1));
  });

  it("requests only the pages that are read", async () => {
    for await (const { name } of paginate(
      client.organizations.list,
      { userId: owner.userId },
      { limit: 2 },
    )) {
      if (name === "e") break;
    }
    expect(server.requests).toHaveLength(2);
  });

  it("rejects with the error of the list", async () => {
    const pages = paginate(client.organizations.members.list, { organizationId: purser.unknownId("org") });
    await expect(pages.next()).rejects.toMatchObject({ code: "ORGANIZATION_NOT_FOUND" });
    const tooMany = paginate(client.organizations.list, { userId: owner.userId }, { limit: 1001 });
    await expect(tooMany.next()).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      issues: [{ path: ["limit"] }],
    });
    const stopped = paginate(
      client.organizations.list,
      { userId: owner.userId },
      { signal: AbortSignal.abort() },
    );
    await expect(stopped.next()).rejects.toMatchObject({ code: "ABORTED" });
  });
});

describe("page", () => {
  it("returns the items with the cursor of the next page, which is null after the last", async () => {
    const { list } = client.organizations;
    const first = await list.page({ limit: 4 });
    expect(first.items.map(({ name }) => name)).toEqual(newestFirst.slice(0, 4));
    expect(first.nextAfter).toBe(first.items.at(-1)?.id);
    const last = await list.page({ limit: 4, after: first.nextAfter ?? undefined });
    expect([last.items.map(({ name }) => name), last.nextAfter]).toEqual([newestFirst.slice(4), null]);
    expect((await list.page()).items).toEqual(await list());
  });

  it("keeps its cursor apart from those of the same batch", async () => {
    const limits = [2, 7, 3];
    const pages = await Promise.all(limits.map((limit) => client.organizations.list.page({ limit })));
    expect(server.requests).toHaveLength(1);
    expect(
      pages.map(({ items, nextAfter }) => nextAfter && items.map(({ id }) => id).indexOf(nextAfter)),
    ).toEqual([1, null, 2]);
  });
});
