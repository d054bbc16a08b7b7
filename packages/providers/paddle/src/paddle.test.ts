import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openShop } from "./fake/shop.ts";
import { addPrice, addProduct } from "./fake/state.ts";

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

describe("paddlePayments.plans", () => {
  it("lists the catalog from all pages, newest first", async () => {
    const others = ["Solo", "Huge"].map((name) => addProduct(fake.state, { name }));
    for (const product of others) addPrice(fake.state, product);
    fake.state.mostPerPage = 2;
    const calls = await shop.requestsDuring(async () => {
      const names = (await fake.provider.plans()).map(({ name }) => name);
      expect(names).toEqual(["Huge", "Solo", "Team"]);
    });
    expect(calls).toEqual(["GET /products", "GET /products"]);
    fake.state.mostPerPage = 200;
    for (const product of others) product.status = "archived";
    expect(await fake.provider.plans()).toEqual([shop.plan]);
  });
});

describe("the SDK", () => {
  it("sends a request once, for any response, and logs nothing", async () => {
    const logs = (["log", "warn", "error"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    const headers = { "retry-after": "0" };
    const faults = ["lost", { status: 500, text: "" }, { status: 429, text: "", headers }] as const;
    fake.fail("GET /products", ...faults);
    for (const _fault of faults) {
      const calls = await shop.requestsDuring(() => fake.provider.plans().catch(() => undefined));
      expect(calls).toEqual(["GET /products"]);
    }
    for (const log of logs) {
      expect(log).not.toHaveBeenCalled();
      log.mockRestore();
    }
  });

  it("shares one timeout among all requests of a call", async () => {
    const { fetch } = globalThis;
    let present = performance.now();
    const time = vi.spyOn(performance, "now").mockImplementation(() => present);
    const slow = vi.spyOn(globalThis, "fetch").mockImplementation(async (...question) => {
      const response = await fetch(...question);
      present += 7_000;
      return response;
    });
    const calls = await shop.requestsDuring(() =>
      expect(fake.provider.createCheckout(request)).rejects.toMatchObject({ kind: "outage" }),
    );
    expect(calls).toEqual(["GET /prices/:id"]);
    time.mockRestore();
    slow.mockRestore();
  });

  it("gives each page of a large catalog a timeout of its own", async () => {
    const { fetch } = globalThis;
    let present = performance.now();
    const time = vi.spyOn(performance, "now").mockImplementation(() => present);
    const slow = vi.spyOn(globalThis, "fetch").mockImplementation(async (...parameters) => {
      const response = await fetch(...parameters);
      present += 4_000;
      return response;
    });
    fake.state.mostPerPage = 1;
    const added = [1, 2, 3].map(() => addProduct(fake.state));
    for (const product of added) addPrice(fake.state, product);
    const plans = await fake.provider.plans().catch((error: unknown) => error);
    for (const { id } of added) fake.state.products.delete(id);
    fake.state.mostPerPage = 200;
    time.mockRestore();
    slow.mockRestore();
    expect(plans).toEqual(
      expect.arrayContaining(added.map(({ id }) => expect.objectContaining({ id }) as unknown)),
    );
  });

  it("stops at the timeout when a next page never arrives", async () => {
    const pagination = { per_page: 50, next: `${fake.baseUrl}/products?after=`, has_more: true };
    fake.fail("GET /products", { status: 200, body: { data: [], meta: { pagination } } });
    expect(await fake.provider.plans()).toEqual([]);
  });

  it.each([
    [{ environment: "sandbox", baseUrl: undefined }, "https://sandbox-api.paddle.com/products?"],
    [{ environment: "production", baseUrl: undefined }, "https://api.paddle.com/products?"],
    [{ baseUrl: "https://paddle.example.com/v1//" }, "https://paddle.example.com/v1/products?"],
  ] as const)("with the settings %j calls %s", async (config, address) => {
    const fetch = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("fetch failed"));
    await expect(fake.providerWith(config).plans()).rejects.toMatchObject({ kind: "outage" });
    expect(fetch.mock.calls.map(([url]) => url)).toEqual([expect.stringContaining(address)]);
    fetch.mockRestore();
  });
});
