import { describe, expect, it } from "vitest";
import { newChain, pageSize, rowsOfPages, withPage } from "./-page-chain.ts";
import { withTransaction } from "./-cached-data.ts";
import { listInput, readTransactionSearch } from "./-search.ts";

const page = (nextAfter: string | null, length = pageSize) => ({
  items: Array.from({ length }, () => null),
  nextAfter,
});

describe("the pages of an endless list", () => {
  const two = withPage(withPage(newChain, 0, page("a")), 1, page("b"));

  it("have room for one page more than is known, and for no more once the last one is read", () => {
    expect([rowsOfPages(newChain), rowsOfPages(two)]).toEqual([pageSize, 3 * pageSize]);
    const whole = withPage(two, 2, page(null, 7));
    expect([whole.total, rowsOfPages(whole)]).toEqual([2 * pageSize + 7, 2 * pageSize + 7]);
  });

  it("stay the same object while nothing changes, so that nothing is drawn again", () => {
    expect(withPage(two, 1, page("b"))).toBe(two);
    const whole = withPage(two, 2, page(null, 7));
    expect(withPage(whole, 2, page(null, 7))).toBe(whole);
  });

  it("forget the cursors after a page that ends elsewhere, because rows have moved", () => {
    expect(withPage(two, 0, page("z")).cursors).toEqual([null, "z"]);
    expect(withPage(withPage(two, 2, page(null, 7)), 0, page(null, 3))).toEqual({
      cursors: [null],
      total: 3,
    });
  });

  it("ignore a page that comes after its cursor was forgotten", () => {
    expect(withPage(newChain, 1, page("b"))).toBe(newChain);
  });
});

describe("the address of the transactions", () => {
  it("keeps what it can read, and drops the rest", () => {
    const raw = {
      query: 2026,
      type: "BOTH",
      status: "PENDING",
      from: "2026-02-31x",
      to: "2026-03-01",
      minAmount: -1,
    };
    expect(readTransactionSearch({ ...raw, maxAmount: 500, category: "" })).toEqual({
      query: "2026",
      status: "PENDING",
      to: "2026-03-01",
      maxAmount: 500,
    });
  });

  it("asks for booked and pending ones unless it names a status, and never for the open one", () => {
    expect(listInput("org_1", { selected: "btx_1", from: "2026-03-01" })).toEqual({
      teamId: "org_1",
      status: "ALL",
      from: new Date("2026-03-01T00:00:00.000Z"),
    });
  });
});

describe("a changed transaction", () => {
  it("replaces itself in items and in a page, and leaves other data alone", () => {
    const changed = { id: "b", note: "new" } as never;
    expect(withTransaction({ items: [{ id: "a" }, { id: "b" }], nextAfter: null }, changed)).toEqual({
      items: [{ id: "a" }, changed],
      nextAfter: null,
    });
    expect(withTransaction([{ id: "b" }], changed)).toEqual([changed]);
    expect(withTransaction(undefined, changed)).toBeUndefined();
  });
});
