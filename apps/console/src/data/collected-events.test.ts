import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { collectEvents, collectMs } from "./collected-events.ts";

const queryKey = ["purser", "cards", "list", { organizationId: "org_1" }];

/** A first read of the cards under way, which the service has answered before a change. */
function slowFirstRead() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const service = { stored: "before", reads: 0 };
  const query = {
    queryKey,
    queryFn: () => {
      service.reads += 1;
      return new Promise<string>((resolve) => setTimeout(resolve, 3 * collectMs, service.stored));
    },
  };
  return { client, service, query };
}

/** A page that shows the cards. Each read of them takes so long. */
function pageWithCards(readMs: number) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const reads = { begun: 0, aborted: 0 };
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: ({ signal }) => {
      reads.begun += 1;
      signal.addEventListener("abort", () => (reads.aborted += 1));
      return new Promise((resolve) => setTimeout(resolve, readMs, reads.begun));
    },
    initialData: 0,
  });
  const unsubscribe = observer.subscribe(() => undefined);
  const close = () => {
    unsubscribe();
    client.clear();
  };
  return { client, reads, shown: () => observer.getCurrentResult().data, close };
}

describe("collectEvents", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("reads once what several events concern, and nothing that they do not", async () => {
    const { client, reads, shown, close } = pageWithCards(10);
    const { add } = collectEvents(client);
    add("bank_account.linked");
    await vi.advanceTimersByTimeAsync(collectMs + 10);
    expect(reads.begun).toBe(0);
    for (const type of ["card.created", "card.updated", "card_transaction.authorized"]) add(type);
    await vi.advanceTimersByTimeAsync(collectMs + 10);
    expect([reads.begun, shown()]).toEqual([1, 1]);
    close();
  });

  it("shows a list that takes longer to read than the next event takes to come", async () => {
    const { client, reads, shown, close } = pageWithCards(3 * collectMs);
    const { add } = collectEvents(client);
    for (let events = 0; events < 20; events += 1) {
      add("card_transaction.authorized");
      await vi.advanceTimersByTimeAsync(collectMs);
    }
    expect(shown()).toBeGreaterThan(1);
    expect(reads.aborted).toBe(0);
    // The last event is not forgotten.
    await vi.advanceTimersByTimeAsync(10 * collectMs);
    expect(shown()).toBe(reads.begun);
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(false);
    close();
  });

  it("goes on with all else while one list does not arrive", async () => {
    const { client, shown, close } = pageWithCards(10);
    const stuck = new QueryObserver(client, {
      queryKey: ["purser", "banking", "accounts", "list", { organizationId: "org_1" }],
      queryFn: () => new Promise<number>(() => undefined),
      initialData: 0,
    });
    const leave = stuck.subscribe(() => undefined);
    const { add } = collectEvents(client);
    add("bank_account.linked");
    await vi.advanceTimersByTimeAsync(collectMs + 10);
    expect(stuck.getCurrentResult().isFetching).toBe(true);
    add("bank_account.linked");
    add("card.created");
    await vi.advanceTimersByTimeAsync(collectMs + 10);
    expect(shown()).toBe(1);
    leave();
    close();
  });

  it("reads again a list that was being read for the first time when the event came", async () => {
    const { client, service, query } = slowFirstRead();
    const observer = new QueryObserver(client, query);
    const leave = observer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(10);
    service.stored = "after";
    collectEvents(client).add("card_transaction.approved");
    await vi.advanceTimersByTimeAsync(10 * collectMs);
    expect([service.reads, observer.getCurrentResult().data]).toEqual([2, "after"]);
    leave();
    client.clear();
  });

  it("makes stale a list that was being read for a page that is not open yet", async () => {
    const { client, service, query } = slowFirstRead();
    void client.query(query);
    await vi.advanceTimersByTimeAsync(10);
    service.stored = "after";
    collectEvents(client).add("card_transaction.approved");
    await vi.advanceTimersByTimeAsync(10 * collectMs);
    expect(client.getQueryState(queryKey)).toMatchObject({ data: "before", isInvalidated: true });
    client.clear();
  });

  it("makes stale at its end what it has not read yet", () => {
    const { client, close } = pageWithCards(10);
    const { add, end } = collectEvents(client);
    add("card.created");
    end();
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
    close();
  });
});
