import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openShop, unknownId } from "./fake/shop.ts";

let shop: Awaited<ReturnType<typeof openShop>>;
let fake: typeof shop.fake;
/** Each test has its own organization and buyer. */
let request: Awaited<ReturnType<typeof shop.newRequest>>;
beforeAll(async () => {
  shop = await openShop(testClock());
  ({ fake } = shop);
});
beforeEach(async () => (request = await shop.newRequest()));
afterAll(async () => fake.stop());

describe("paddlePayments.createCustomer", () => {
  const found = (email = request.email) =>
    fake.provider.createCustomer({
      organizationId: "org_other",
      name: "Other",
      email,
      checkoutId: "chk_other",
    });

  it("creates a customer with only an email address", () => {
    expect(fake.state.customers.get(request.customerId)).toMatchObject({
      email: request.email,
      name: null,
      custom_data: null,
    });
  });

  it("returns the same customer to organizations with the same buyer, even an archived one", async () => {
    const customer = fake.state.customers.get(request.customerId)!;
    customer.status = "archived";
    expect(await found()).toBe(request.customerId);
    expect(customer.status).toBe("active");
  });

  const taken = (detail: string) => ({
    status: 409,
    body: { error: { type: "request_error", code: "customer_already_exists", detail } },
  });

  it("searches for the customer by address if the error does not name it", async () => {
    fake.state.customers.get(request.customerId)!.status = "archived";
    fake.fail("POST /customers", taken("customer already exists"));
    expect(await found()).toBe(request.customerId);
  });

  it("throws outage if the existing customer cannot be found", async () => {
    fake.fail("POST /customers", taken("customer already exists"));
    await expect(found("unknown@example.com")).rejects.toMatchObject({ kind: "outage" });
  });

  it("throws refused for an invalid address", async () => {
    await expect(found("ada")).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("paddlePayments.createPortal", () => {
  const open = (id: string, organizationSubscriptionIds: string[]) =>
    fake.provider.createPortal({ ...request, id, organizationSubscriptionIds });
  const lets = async (id: string, own: string[]) => new URL(await open(id, own)).searchParams.has("token");

  it("grants access if all of the customer's subscriptions belong to the organization", async () => {
    const first = await shop.buy(request);
    fake.end(first);
    const id = await shop.buy(request);
    expect(await open(id, [first, id])).toMatch(/^https:.+action=overview&token=pga_/);
  });

  it("grants no access to purchases of other organizations or other software, whatever their custom data", async () => {
    const [id, other] = [await shop.buy(request), await shop.buy(request)];
    expect([await lets(id, [id]), await lets(other, [other])]).toEqual([false, false]);
    for (const custom_data of [{ purser_organization: "org_other", purser_checkout: "chk_1" }, null]) {
      fake.put(other, { custom_data });
      expect([await lets(id, [id]), await lets(id, [id, other])]).toEqual([false, true]);
    }
    // The customer has more subscriptions than the adapter reads.
    fake.state.mostPerPage = 1;
    expect(await lets(other, [id, other])).toBe(false);
    fake.state.mostPerPage = 200;
  });

  it.each([unknownId("ctm"), "../prices"])("throws not_found for the customer %s", async (customerId) => {
    const id = await shop.buy(request);
    const opened = fake.provider.createPortal({
      id,
      customerId,
      returnUrl: "",
      organizationSubscriptionIds: [id],
    });
    await expect(opened).rejects.toMatchObject({ kind: "not_found" });
  });
});
