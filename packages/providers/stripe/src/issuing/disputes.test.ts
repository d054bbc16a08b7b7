import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { testClock } from "@purser/core/testing";
import { outsideContract } from "@purser/vendor-contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FakeEvent } from "../fake/events.ts";
import { type StripeIssuingFake, startStripeIssuingFake } from "../fake/issuing/index.ts";
import { type FakeTransaction, fakeDispute, fakePurchase, issuingEvent } from "../fake/issuing/network.ts";

let stripe: StripeIssuingFake;
beforeAll(async () => {
  stripe = await startStripeIssuingFake(testClock());
});
afterAll(async () => stripe.stop());

const read = async (event: FakeEvent) =>
  stripe.issuer.webhooks.read({ type: event.type, body: JSON.stringify(event) });

/** A captured purchase that Stripe knows, and its capture. */
function buy(isAuthorized = true) {
  const purchase = fakePurchase({ card: "ic_1", amount: 1250 });
  purchase.request();
  purchase.decide(true);
  const event = isAuthorized ? purchase.capture(1250)[0] : purchase.forceCapture(1250);
  const capture = event.data.object as FakeTransaction;
  stripe.state.transactions.set(capture.id, capture);
  return { purchase, capture };
}

describe("issuing_dispute.funds_reinstated and .funds_rescinded", () => {
  it("report the money with the card and authorization of the disputed transaction", async () => {
    const { purchase, capture } = buy();
    const { reinstate, rescind } = fakeDispute(capture, 1000);
    const [credit, debit] = [reinstate(), rescind()];
    const money = {
      kind: "dispute",
      card: "ic_1",
      authorization: purchase.authorization.id,
      clearing: capture.id,
      amount: 1000,
      currency: "GBP",
      merchant: { name: "CORNER COFFEE", id: "1234567890", category: "5814", country: "GB" },
    };
    const about = ({ id, created }: FakeEvent) => ({ networkId: id, at: new Date(created * 1000) });
    expect(await read(credit)).toEqual([{ ...money, ...about(credit), direction: "credit" }]);
    expect(await read(debit)).toEqual([{ ...money, ...about(debit), direction: "debit" }]);
  });

  it("are in the card's currency, also for a purchase in another one", async () => {
    const { dispute } = fakeDispute(buy().capture, 1000);
    const abroad = { ...dispute, currency: "eur" };
    const message = await read(issuingEvent("issuing_dispute.funds_reinstated", abroad));
    expect(message).toMatchObject([{ amount: 1000, currency: "GBP" }]);
  });

  it("names no authorization of a capture that had none", async () => {
    const { capture } = buy(false);
    const message = await read(fakeDispute(capture, 1250).reinstate());
    expect(message).toMatchObject([{ authorization: null, clearing: capture.id }]);
  });

  it("fails while Stripe does not know the transaction or is down, so that the event is retried", async () => {
    const { capture } = buy();
    const event = fakeDispute(capture, 1250).reinstate();
    stripe.state.transactions.clear();
    await expect(read(event)).rejects.toMatchObject({ name: "IssuerError", kind: "card_not_found" });
    const { webhooks } = stripe.issuerWith({ baseUrl: "http://127.0.0.1:9" });
    const received = { type: event.type, body: JSON.stringify(event) };
    await expect(webhooks.read(received)).rejects.toMatchObject({ kind: "outage" });
  });

  it("take at most two of the slots in which clearings are applied too, while Stripe does not answer", async () => {
    let requests = 0;
    const silent = createServer(() => (requests += 1)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const { webhooks } = stripe.issuerWith({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 2000 });
    const { type, ...event } = fakeDispute(buy().capture, 1250).reinstate();
    const received = { type, body: JSON.stringify(event) };
    const reads = await Promise.allSettled(Array.from({ length: 10 }, async () => webhooks.read(received)));
    silent.closeAllConnections();
    silent.close();
    const failures = reads.map((ended) => (ended as PromiseRejectedResult).reason as { code?: string });
    // The jobs of these run again later.
    expect(failures.filter(({ code }) => code === "UNAVAILABLE")).toHaveLength(8);
    expect(requests).toBe(2);
  });

  it.each([
    ["no transaction", { transaction: null }],
    ["no amount", { amount: undefined }],
    ["a negative amount", { amount: -1 }],
  ])("throw for %s, so that it is not lost", async (_what, change) => {
    const { dispute } = fakeDispute(buy().capture, 1250);
    const type = "issuing_dispute.funds_reinstated";
    await expect(read(issuingEvent(type, { ...dispute, ...change }))).rejects.toThrow("cannot parse ");
  });

  it.each(["issuing_dispute.created", "issuing_dispute.submitted", "issuing_dispute.closed"])(
    "have no part in %s, which moves no money",
    async (type) => {
      const { dispute } = fakeDispute(buy().capture, 1250);
      expect(await outsideContract(() => read(issuingEvent(type, dispute)))).toEqual([]);
    },
  );
});
