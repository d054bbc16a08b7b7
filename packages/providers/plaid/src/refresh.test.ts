import type { CursorFeed } from "@purser/banking/ports";
import { day, testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessTo, linkedItem, startPlaidBank } from "./fake/bank.ts";
import { fakeTransaction } from "./fake/items.ts";

const clock = testClock();
let plaid: Awaited<ReturnType<typeof startPlaidBank>>;
beforeAll(async () => (plaid = await startPlaidBank(clock)));
afterAll(async () => plaid.fake.close());

const refreshing = () => plaid.bankWith({ refreshesOnRequest: true });
const refreshes = () => plaid.fake.requests.filter(({ path }) => path === "/transactions/refresh").length;

describe("plaidBank.refresh", () => {
  it("exists only where it is configured, because Plaid bills it", () => {
    expect(plaid.bank.refresh).toBeUndefined();
    expect(refreshing().refresh).toBeDefined();
  });

  it("makes Plaid read the bank: the feed then has what the bank has", async () => {
    const bank = refreshing();
    const item = linkedItem(plaid.fake);
    item.unreadChanges.push({ kind: "added", transaction: fakeTransaction({ transaction_id: "new" }) });
    const read = async () =>
      (bank.feed as CursorFeed).changes(accessTo(item), null, new AbortController().signal);
    expect((await read()).added).toEqual([]);
    await bank.refresh!(accessTo(item));
    expect((await read()).added).toMatchObject([{ externalId: "new" }]);
  });

  it.each(["PRODUCT_NOT_ENABLED", "PRODUCTS_NOT_SUPPORTED", "INVALID_PRODUCT", "UNAUTHORIZED_ROUTE_ACCESS"])(
    "remembers the refusal %s of an item for a day, and is no error",
    async (code) => {
      const bank = refreshing();
      const [item, other] = [linkedItem(plaid.fake), linkedItem(plaid.fake)];
      const before = refreshes();
      plaid.fake.fail("/transactions/refresh", { code });
      for (let count = 0; count < 3; count += 1) await bank.refresh!(accessTo(item));
      expect(refreshes()).toBe(before + 1);
      await bank.refresh!(accessTo(other));
      expect(refreshes()).toBe(before + 2);
      clock.advance(day);
      await bank.refresh!(accessTo(item));
      expect(refreshes()).toBe(before + 3);
    },
  );

  it.each([
    ["INSTITUTION_DOWN", "outage"],
    ["RATE_LIMIT", "rate_limited"],
  ])("throws %s, and tries again the next time", async (code, kind) => {
    const bank = refreshing();
    const item = linkedItem(plaid.fake);
    plaid.fake.fail("/transactions/refresh", { code });
    await expect(bank.refresh!(accessTo(item))).rejects.toMatchObject({ kind });
    await bank.refresh!(accessTo(item));
  });
});
