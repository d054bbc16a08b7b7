import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import { QueryClient } from "@tanstack/react-query";
import {
  TRPCClientError,
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
} from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestServer, servePurser } from "../test/serve.ts";
import type { AppRouter } from "./generated/app-router.ts";
import { transformer } from "./trpc.ts";

let purser: TestPurser;
let server: TestServer;
let owner: Person;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  server = await servePurser(purser, [owner]);
  for (const name of ["a", "b", "c", "d", "e"]) {
    purser.clock.advance(1000);
    await purser.as(owner).organizations.create({ name });
  }
});
afterAll(async () => {
  await server.close();
  await purser.close();
});

const links = { httpLink, httpBatchLink, httpBatchStreamLink };

function clientWith(link: keyof typeof links, more: object = {}) {
  const options = {
    url: `${server.baseUrl}/trpc`,
    transformer,
    headers: { authorization: `Bearer ${owner.userId}` },
    ...more,
  };
  return createTRPCClient<AppRouter>({ links: [links[link](options)] });
}

describe.each(Object.keys(links) as (keyof typeof links)[])("@trpc/client with %s", (link) => {
  it("carries dates both ways, and the outcome of each call by itself", async () => {
    const client = clientWith(link);
    const [organization] = await client.organizations.list.query({ limit: 1 });
    const organizationId = organization!.id;
    const guest = { organizationId, email: `${link.toLowerCase()}@example.com`, role: "MEMBER" } as const;
    expect(await client.organizations.invitations.create.mutate(guest)).toBeUndefined();
    const [invitations, missing, me] = await Promise.allSettled([
      client.organizations.invitations.list.query({ organizationId, limit: 1 }),
      client.organizations.get.query({ id: purser.unknownId("org") }),
      client.me.get.query(),
    ]);
    expect(invitations).toMatchObject({ value: [{ expiresAt: expect.any(Date) }] });
    expect(me).toMatchObject({ value: { id: owner.userId } });
    const { reason } = missing as { reason: TRPCClientError<AppRouter> };
    expect(reason).toBeInstanceOf(TRPCClientError);
    expect(reason.data?.problem).toMatchObject({ code: "ORGANIZATION_NOT_FOUND", status: 404 });
  });

  it("sends long queries by POST with methodOverride", async () => {
    server.requests.length = 0;
    const client = clientWith(link, { methodOverride: "POST" });
    const error = await client.organizations.get
      .query({ id: "x".repeat(9000) })
      .catch((reason: unknown) => reason);
    expect((error as TRPCClientError<AppRouter>).data?.problem.code).toBe("VALIDATION_FAILED");
    expect(server.requests.map(({ method }) => method)).toEqual(["POST"]);
  });
});

describe("@trpc/tanstack-react-query", () => {
  it("reads the pages of a list with infiniteQueryOptions", async () => {
    const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const trpc = createTRPCOptionsProxy<AppRouter>({ client: clientWith("httpBatchLink"), queryClient });
    const limit = 2;
    const options = trpc.organizations.list.infiniteQueryOptions(
      { limit },
      { getNextPageParam: (page) => (page.length < limit ? null : page.at(-1)?.id) },
    );
    const { pages } = await queryClient.infiniteQuery({ ...options, pages: 9 });
    const names: string[] = pages.flatMap((page) => page.map(({ name }) => name));
    expect(names).toEqual(["e", "d", "c", "b", "a"]);
    const { id } = await queryClient.query(trpc.me.get.queryOptions());
    expect(id).toBe(owner.userId);
    await trpc.organizations.create.mutationOptions().mutationFn!({ name: "f" }, {} as never);
    // The options of a list that requires an input, and of one that does not.
    const cards = trpc.cards.list.infiniteQueryOptions(
      { organizationId: id },
      { getNextPageParam: () => null },
    );
    expect(cards.queryKey).toHaveLength(2);
  });
});
