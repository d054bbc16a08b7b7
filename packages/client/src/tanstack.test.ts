import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { createPurserClient } from "./client.ts";
import type { OrganizationListItem } from "./generated/purser-client.ts";
import { createPurserQueries, invalidateWithRunningReads, staleKeys } from "./tanstack.ts";

const requests: { path: string; input: { after?: string }; init: RequestInit }[] = [];

/** Answers lists with pages of one organization, `a` to `c`, and everything else with null. */
async function answer(url: string, init: RequestInit): Promise<Response> {
  const { pathname, searchParams } = new URL(url);
  const path = pathname.slice("/trpc/".length);
  const input = JSON.parse((init.body as string | null) ?? searchParams.get("input") ?? "{}") as {
    after?: string;
  };
  requests.push({ path, input, init });
  if (!path.endsWith(".list")) return Response.json({ result: { data: null } });
  const ids = ["a", "b", "c"];
  const index = input.after === undefined ? 0 : ids.indexOf(input.after) + 1;
  const nextAfter = index < ids.length - 1 ? ids[index] : null;
  return Response.json({ result: { data: [{ id: ids[index] }], nextAfter } });
}

const client = createPurserClient({
  baseUrl: "https://purser.example",
  fetch: answer,
  retries: 0,
  batch: false,
});
const queries = createPurserQueries(client);
const queryClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

describe("createPurserQueries", () => {
  it("has keys under which all queries of an area, a procedure and an input are found", () => {
    const input = { organizationId: "org_1" };
    expect(queries.cards.transactions.list.queryKey(input)).toEqual([
      "purser",
      "cards",
      "transactions",
      "list",
      input,
    ]);
    expect(queries.cards.transactions.list.queryKey()).toEqual(["purser", "cards", "transactions", "list"]);
    expect(queries.me.get.queryOptions().queryKey).toEqual(["purser", "me", "get"]);
  });

  it("keeps the data of two clients with different prefixes apart", async () => {
    const cache = queryClient();
    const [one, other] = ["one", "other"].map((prefix) => {
      const fetch = async () => Response.json({ result: { data: { name: prefix } } });
      const own = createPurserClient({ baseUrl: "https://purser.example", fetch, batch: false });
      return createPurserQueries(own, { prefix });
    });
    for (const { organizations } of [one!, other!])
      await cache.query({ ...organizations.get.queryOptions({ id: "org_1" }), staleTime: Infinity });
    const keys = [one!, other!].map(({ organizations }) => organizations.get.queryKey({ id: "org_1" }));
    expect(keys[0]).toEqual(["one", "organizations", "get", { id: "org_1" }]);
    expect(keys.map((key) => cache.getQueryData(key))).toEqual([{ name: "one" }, { name: "other" }]);
    expect(one!.cards.list.infiniteQueryOptions({ organizationId: "org_1" }).queryKey[0]).toBe("one");
    expect(one!.cards.create.mutationOptions().mutationKey[0]).toBe("one");
    const stale = [staleKeys("card.created", { prefix: "one" }), staleKeys("unknown", { prefix: "one" })];
    expect(stale[0]).toContainEqual(one!.cards.list.queryKey());
    expect(stale[1]).toEqual([["one"]]);
  });

  it("reads a query with TanStack's signal and the options of the call", async () => {
    const options = queries.organizations.get.queryOptions({ id: "org_1" }, { headers: { "x-one": "1" } });
    expect(await queryClient().query(options)).toBeNull();
    const { path, input, init } = requests.at(-1)!;
    expect([path, input, new Headers(init.headers).get("x-one")]).toEqual([
      "organizations.get",
      { id: "org_1" },
      "1",
    ]);
  });

  it("ends the request when TanStack cancels the query", async () => {
    const controller = new AbortController();
    controller.abort();
    const { queryFn } = queries.organizations.get.queryOptions({ id: "org_1" });
    await expect(queryFn({ signal: controller.signal })).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("reads the pages of a list until there is no next one", async () => {
    const options = queries.organizations.list.infiniteQueryOptions({ limit: 1 });
    const { pages } = await queryClient().infiniteQuery({ ...options, pages: 9 });
    const items: OrganizationListItem[] = pages.flatMap((page) => page.items);
    expect(items.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(pages.at(-1)?.nextAfter).toBeNull();
    expect(requests.slice(-3).map(({ input }) => input)).toEqual([
      { limit: 1 },
      { limit: 1, after: "a" },
      { limit: 1, after: "b" },
    ]);
    expect(options.queryKey).not.toEqual(queries.organizations.list.queryKey({ limit: 1 }));
    const later = queries.organizations.list.infiniteQueryOptions({ after: "a" });
    expect((await queryClient().infiniteQuery(later)).pages[0]?.items).toEqual([{ id: "b" }]);
  });

  it("calls a mutation with its input", async () => {
    const { mutationKey, mutationFn } = queries.organizations.update.mutationOptions();
    expect(mutationKey).toEqual(["purser", "organizations", "update"]);
    expect(await mutationFn({ id: "org_1", name: "Acme" }, {})).toBeNull();
    expect(requests.at(-1)).toMatchObject({
      path: "organizations.update",
      input: { id: "org_1", name: "Acme" },
    });
  });
});

describe("mutationOptions", () => {
  it("have one idempotency key for all attempts of an execution, and another for the next one", async () => {
    const keys: (string | null)[] = [];
    const unreliable = createPurserClient({
      baseUrl: "http://localhost:3000",
      retries: 0,
      fetch: async (_, init) => {
        keys.push(new Headers(init.headers).get("idempotency-key"));
        if (keys.length < 3) throw new TypeError("fetch failed");
        return Response.json({ result: { data: null } });
      },
    });
    const options = {
      ...createPurserQueries(unreliable).organizations.update.mutationOptions(),
      retry: 2,
      retryDelay: 0,
    };
    const cache = new QueryClient().getMutationCache();
    const execute = () => cache.build(new QueryClient(), options).execute({ id: "org_1", name: "Acme" });
    await execute();
    await execute();
    expect(keys).toEqual([keys[0], keys[0], keys[0], expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it("have a key for each call of an execution that makes several, the same one in all attempts", async () => {
    const sent: { name: string; key: string | null }[] = [];
    const unreliable = createPurserClient({
      baseUrl: "http://localhost:3000",
      retries: 0,
      fetch: async (url, init) => {
        const { name } = JSON.parse(init.body as string) as { name: string };
        const key = new Headers(init.headers).get("idempotency-key");
        sent.push({ name: `${new URL(url).pathname} ${name}`, key });
        if (sent.length <= 3) throw new TypeError("fetch failed");
        return Response.json({ result: { data: null } });
      },
    });
    const { organizations } = createPurserQueries(unreliable);
    const { mutationFn: update } = organizations.update.mutationOptions();
    const { mutationFn: create } = organizations.create.mutationOptions();
    const execution = {};
    const attempt = () =>
      Promise.allSettled([
        update({ id: "org_1", name: "a" }, execution),
        update({ id: "org_1", name: "b" }, execution),
        create({ name: "a" }, execution),
      ]);
    await attempt();
    await attempt();
    expect(sent.slice(3)).toEqual(sent.slice(0, 3));
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
    await update({ id: "org_1", name: "a" }, execution);
    await update({ id: "org_1", name: "a" }, {});
    expect([sent[6], sent[7]!.key === sent[0]!.key]).toEqual([sent[0], false]);
  });

  it("refuse a TanStack Query that does not say which attempts are of one execution", () => {
    // As before its version 5.89.
    const { mutationFn } = queries.cards.create.mutationOptions() as unknown as {
      mutationFn: (input: object) => unknown;
    };
    const sent = requests.length;
    expect(() => mutationFn({})).toThrow(new TypeError("Needs TanStack Query 5.89"));
    expect(requests).toHaveLength(sent);
  });

  it("leave a key in headers of the client or of the options as it is", async () => {
    const keys: (string | null)[] = [];
    const keyed = createPurserClient({
      baseUrl: "http://localhost:3000",
      headers: { "Idempotency-Key": "of-the-client" },
      fetch: async (_, init) => {
        keys.push(new Headers(init.headers).get("idempotency-key"));
        return Response.json({ result: { data: null } });
      },
    });
    const { update } = createPurserQueries(keyed).organizations;
    await update.mutationOptions().mutationFn({ id: "org_1" }, {});
    const options = { headers: { "IDEMPOTENCY-KEY": "of-the-options" } };
    await update.mutationOptions(options).mutationFn({ id: "org_1" }, {});
    expect(keys).toEqual(["of-the-client", "of-the-options"]);
  });
});

describe("staleKeys", () => {
  it("are keys under which the queries of an event are found", () => {
    const stale = staleKeys("card.status_changed");
    expect(stale).toContainEqual(queries.cards.list.queryKey());
    expect(stale).not.toContainEqual(queries.keys.list.queryKey());
    expect(staleKeys("organization.settings_updated")).toEqual([["purser"]]);
  });
});

describe("invalidateWithRunningReads", () => {
  const queryKey = queries.cards.list.queryKey({ organizationId: "org_1" });

  /** A query whose reads answer what was stored when they began, each when it may. */
  function slowQuery() {
    const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
    const service = { stored: "before" };
    const reads: PromiseWithResolvers<void>[] = [];
    const second = Promise.withResolvers<void>();
    const queryFn = async () => {
      const answered = service.stored;
      const read = Promise.withResolvers<void>();
      if (reads.push(read) === 2) second.resolve();
      await read.promise;
      return answered;
    };
    return { cache, service, reads, second: second.promise, query: { queryKey, queryFn } };
  }

  it("reads again what a page reads for the first time, because that read may be older than the change", async () => {
    const { cache, service, reads, second, query } = slowQuery();
    const observer = new QueryObserver(cache, query);
    const unsubscribe = observer.subscribe(() => undefined);
    service.stored = "after";
    const reading = invalidateWithRunningReads(cache, { queryKey: ["purser", "cards"] });
    reads[0]!.resolve();
    await second;
    reads[1]!.resolve();
    await reading;
    expect(observer.getCurrentResult()).toMatchObject({ data: "after", isStale: false });
    unsubscribe();
  });

  it("makes a read stale that nobody looks at, also if it fails", async () => {
    for (const error of [undefined, new Error("Not reached")]) {
      const { cache, reads, query } = slowQuery();
      const read = cache.query(query).catch(() => undefined);
      const others = cache.query({ queryKey: ["other"], queryFn: () => "other" });
      const invalidation = invalidateWithRunningReads(cache, { queryKey: ["purser", "cards"] });
      if (error) reads[0]!.reject(error);
      else reads[0]!.resolve();
      await Promise.all([read, others, invalidation]);
      expect(cache.getQueryState(queryKey)?.isInvalidated).toBe(true);
      expect(cache.getQueryState(["other"])?.isInvalidated).toBe(false);
    }
  });

  it("leaves a read that began after the change fresh", async () => {
    const { cache, service, reads, query } = slowQuery();
    cache.setQueryData(queryKey, "earlier");
    const observer = new QueryObserver(cache, { ...query, staleTime: 0 });
    const unsubscribe = observer.subscribe(() => undefined);
    service.stored = "after";
    const reading = invalidateWithRunningReads(cache);
    reads.forEach((read) => read.resolve());
    await reading;
    expect(reads).toHaveLength(2);
    expect(observer.getCurrentResult().data).toBe("after");
    expect(cache.getQueryState(queryKey)?.isInvalidated).toBe(false);
    unsubscribe();
  });
});
