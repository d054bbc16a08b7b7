import { decodeWire, encodeWire } from "@purser/core/wire";
import type { AppRouter } from "@purser/router";
import { type Person, startTcpProxy } from "@purser/testing";
import { TRPCClientError, createTRPCClient, httpSubscriptionLink } from "@trpc/client";
import { EventSource } from "eventsource";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ListeningService, startListeningService } from "../testing/listening-service.ts";

let listening: ListeningService;
let owner: Person;
let organizationId: string;
let headers: Record<string, string>;

beforeAll(async () => {
  listening = await startListeningService();
  const { purser } = listening.service;
  owner = await purser.person();
  organizationId = await purser.organization(owner);
  headers = await listening.service.signedIn(owner);
});
afterAll(() => listening.close());

const rename = (name: string) =>
  listening.service.purser.as(owner).organizations.update({ id: organizationId, name });

/** tRPC's own client, with an EventSource that sends the credential. */
function clientAt(url: string) {
  return createTRPCClient<AppRouter>({
    links: [
      httpSubscriptionLink({
        url: `${url}/trpc`,
        transformer: { serialize: encodeWire, deserialize: (value) => decodeWire(value) },
        EventSource,
        eventSourceOptions: {
          fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
        },
      }),
    ],
  });
}

function follow(url: string, input: { lastEventId?: string } = {}) {
  const seen: { id: string; name: string; createdAt: Date }[] = [];
  const started = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<unknown>();
  const subscription = clientAt(url).events.stream.subscribe(
    { organizationId, types: ["organization.updated"], ...input },
    {
      onStarted: () => started.resolve(),
      onData({ id, data }) {
        if (data.type === "organization.updated")
          seen.push({ id, name: data.data.name, createdAt: data.createdAt });
      },
      onError: failed.resolve,
    },
  );
  const until = async (count: number) => {
    await vi.waitUntil(() => seen.length >= count, { timeout: 60_000, interval: 5 });
  };
  return { seen, until, started: started.promise, failed: failed.promise, subscription };
}

describe("httpSubscriptionLink", () => {
  it("follows events with their dates, over connections that break, without a gap or a repeat", async () => {
    const proxy = await startTcpProxy(listening.base.replace("localhost", "127.0.0.1"));
    const { seen, until, started, subscription } = follow(proxy.url.replace(/\/$/, ""));
    await started;
    // It has seen nothing yet, and still continues where it began.
    proxy.refuse();
    await rename("One");
    proxy.restore();
    await until(1);
    await rename("Two");
    await until(2);
    proxy.refuse();
    await rename("Three");
    proxy.restore();
    await until(3);
    expect(seen.map(({ name }) => name)).toEqual(["One", "Two", "Three"]);
    expect(seen[0]!.createdAt).toEqual(listening.service.purser.clock.now());
    subscription.unsubscribe();

    const resumed = follow(listening.base, { lastEventId: seen[1]!.id });
    await resumed.until(1);
    expect(resumed.seen.map(({ name }) => name)).toEqual(["Three"]);
    resumed.subscription.unsubscribe();
    await proxy.close();
    await expect.poll(() => listening.service.purser.platform.eventStreams.size).toBe(0);
  });

  it("ends with the problem when the caller loses access", async () => {
    const { started, failed, seen } = follow(listening.base);
    await started;
    const other = await listening.service.purser.person();
    await listening.service.purser.db.execute(
      `UPDATE memberships SET user_id = '${other.userId}' WHERE user_id = '${owner.userId}'`,
    );
    await listening.service.purser.as(other).organizations.update({ id: organizationId, name: "Secret" });
    const error = await failed;
    expect(error).toBeInstanceOf(TRPCClientError);
    expect((error as TRPCClientError<AppRouter>).data?.problem.code).toBe("ORGANIZATION_NOT_FOUND");
    expect(seen).toEqual([]);
  });
});
