import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testClock } from "@purser/core/testing";
import { openShop, unknownId } from "./fake/shop.ts";

let shop: Awaited<ReturnType<typeof openShop>>;
let fake: typeof shop.fake;
/** Each test has a team, and a buyer, of its own. */
let request: Awaited<ReturnType<typeof shop.wish>>;
beforeAll(async () => {
  shop = await openShop(testClock());
  ({ fake } = shop);
});
beforeEach(async () => (request = await shop.wish()));
afterAll(async () => fake.stop());

const subscriptionOf = (id: string) => fake.state.subscriptions.get(id)!;

describe("paddlePayments.createCustomer", () => {
  const found = (email = request.email) =>
    fake.provider.createCustomer({ organizationId: "org_other", name: "Other", email });

  it("makes a customer of whom nothing is said but the address", () => {
    expect(fake.state.customers.get(request.customerId)).toMatchObject({
      email: request.email,
      name: null,
      custom_data: null,
    });
  });

  it("gives teams with the same buyer the same customer, also when that one was archived", async () => {
    const customer = fake.state.customers.get(request.customerId)!;
    customer.status = "archived";
    expect(await found()).toBe(request.customerId);
    expect(customer.status).toBe("active");
  });

  const taken = (detail: string) => ({
    status: 409,
    body: { error: { type: "request_error", code: "customer_already_exists", detail } },
  });

  it("looks for the customer by the address where the refusal names none", async () => {
    fake.state.customers.get(request.customerId)!.status = "archived";
    fake.fail("POST /customers", taken("customer already exists"));
    expect(await found()).toBe(request.customerId);
  });

  it("is an outage where the one that is in the way cannot be found", async () => {
    fake.fail("POST /customers", taken("customer already exists"));
    await expect(found("nobody@example.com")).rejects.toMatchObject({ kind: "outage" });
  });

  it("is refused an address that is none", async () => {
    await expect(found("ada")).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("paddlePayments.createPortal", () => {
  const open = (id: string) =>
    fake.provider.createPortal({ id, customerId: request.customerId, returnUrl: request.returnUrl });
  const lets = async (id: string) => new URL(await open(id)).searchParams.has("token");

  it("lets the team in where all that the customer has is the team's", async () => {
    fake.end(await shop.buy(request));
    const id = await shop.buy(request);
    expect(await open(id)).toMatch(/^https:.+action=overview&token=pga_/);
  });

  it("lets nobody into what another team, or somebody else's program, has sold to the customer", async () => {
    const id = await shop.buy(request);
    const other = await shop.buy({ ...request, organizationId: "org_other" });
    expect([await lets(id), await lets(other)]).toEqual([false, false]);
    fake.put(other, { custom_data: null });
    expect([await lets(id), await lets(other)]).toEqual([false, false]);
    fake.put(other, { custom_data: subscriptionOf(id).custom_data });
    expect([await lets(id), await lets(other)]).toEqual([true, true]);
    // There is more than can be looked through.
    fake.state.mostPerPage = 1;
    expect(await lets(other)).toBe(false);
    fake.state.mostPerPage = 200;
    for (const one of [id, other]) fake.put(one, { custom_data: null });
    expect(await lets(id)).toBe(false);
  });

  it.each([unknownId("ctm"), "../prices"])("does not find the customer %s", async (customerId) => {
    const opened = fake.provider.createPortal({ id: await shop.buy(request), customerId, returnUrl: "" });
    await expect(opened).rejects.toMatchObject({ kind: "not_found" });
  });
});
