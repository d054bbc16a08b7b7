import { type Me, PurserError } from "@purser/client";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { accountQueries } from "./account.ts";
import { queries } from "./purser.ts";
import { membershipIn, requireUser } from "./session.ts";

const queryKey = queries.me.get.queryKey();
const unreachable = new PurserError("NETWORK_FAILURE", "", { retryable: true });
const refused = new PurserError("FORBIDDEN", "", { status: 403 });

const known = { memberships: [{ organizationId: "org_1", role: "OWNER" }] } as unknown as Me;

/** A client that knows a person from before, if there is one, and reads who it is with this error. */
function clientOf(before: Me | undefined, error: Error) {
  vi.spyOn(queries.me.get, "queryOptions").mockReturnValue({
    queryKey,
    queryFn: () => Promise.reject(error),
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  if (before !== undefined) client.setQueryData(queryKey, before, { updatedAt: 1 });
  return client;
}

describe("the person who is signed in", () => {
  const readSession = vi.fn<() => Promise<null>>(() => Promise.resolve(null));

  beforeEach(() => {
    readSession.mockClear();
    vi.spyOn(accountQueries.session, "queryOptions").mockReturnValue({
      queryKey: accountQueries.session.queryKey(),
      queryFn: readSession,
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("stays without a connection if they are known", async () => {
    expect(await requireUser(clientOf(known, unreachable))).toBe(known);
    await expect(requireUser(clientOf(undefined, unreachable))).rejects.toBe(unreachable);
  });

  it("does not stay when the service refuses", async () => {
    await expect(requireUser(clientOf(known, refused))).rejects.toBe(refused);
  });

  it("does not wait for what a known member has been read from", async () => {
    const pending = vi.fn<() => Promise<never>>(() => new Promise(() => undefined));
    vi.spyOn(queries.me.get, "queryOptions").mockReturnValue({ queryKey, queryFn: pending });
    const client = new QueryClient();
    client.setQueryData(queryKey, known, { updatedAt: 1 });
    expect(await membershipIn(client, "org_1")).toBe(known.memberships[0]);
    expect(pending).not.toHaveBeenCalled();
  });

  it("is read again once it may have changed", async () => {
    const client = clientOf(known, refused);
    await client.invalidateQueries({ queryKey });
    await expect(membershipIn(client, "org_1")).rejects.toBe(refused);
  });

  it("stays signed in while they use the console, whose session a read extends once a day", async () => {
    vi.useFakeTimers();
    const client = clientOf(known, unreachable);
    const visit = async (afterHours: number) => {
      vi.setSystemTime(Date.now() + afterHours * 3_600_000);
      await membershipIn(client, "org_1");
      await vi.advanceTimersByTimeAsync(0);
      return readSession.mock.calls.length;
    };
    expect(await visit(0)).toBe(1);
    expect(await visit(23)).toBe(1);
    expect(await visit(2)).toBe(2);
  });

  it("is no member of an organization only if that was read now", async () => {
    expect(await membershipIn(clientOf(known, unreachable), "org_1")).toBe(known.memberships[0]);
    const client = clientOf(known, unreachable);
    await expect(membershipIn(client, "org_2")).rejects.toBe(unreachable);
    client.setQueryData(queryKey, known);
    client.setQueryDefaults(queryKey, { staleTime: Infinity });
    expect(await membershipIn(client, "org_2")).toBeUndefined();
  });
});
