import { cards } from "@purser/db";
import { receiveWebhook, sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import { type Scene, type TestPurser, createScene, createTestPurser } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let scene: Scene;
let card: string;
let currency: string;

beforeAll(async () => {
  purser = await createTestPurser();
  scene = await createScene(purser, "cards.get");
  const [row] = await purser.db.select().from(cards).where(eq(cards.id, scene.cardId));
  card = row!.issuerReference!;
  ({ currency } = row!);
});
afterAll(() => purser.close());

let events = 0;

/** Sends a signed message to the webhook endpoint, as the sandbox's network does. */
async function say(type: string, data: object): Promise<unknown> {
  const { platform, receivers, clock } = purser;
  const receiver = receivers.find(({ area, provider }) => area === "cards" && provider === "sandbox")!;
  events += 1;
  const event = { id: `event-${events}`, type, data: { card, at: clock.now(), ...data } };
  const body = Buffer.from(JSON.stringify(event));
  const headers = signSandboxEvent(sandboxSecret(platform.settings, "cards"), body, clock.now());
  const receipt = await receiveWebhook(platform, receiver, body, headers);
  return receipt.outcome === "answered" ? JSON.parse(receipt.response.body) : receipt;
}

const approved = { approved: true, reason: null };
const refused = (reason: string) => ({ approved: false, reason });

describe("the sandbox's network", () => {
  it("gets the outcome of its message as the answer", async () => {
    const { organizationId, cardId, people } = scene;
    const purchase = { currency, merchant: { name: "Shop" }, channel: "online" };
    const authorization = "auth-1";
    const request = { ...purchase, authorization, amount: 90_000 };
    expect(await say("authorization.request", request)).toEqual(approved);
    const more = { authorization, amount: 10_001 };
    expect(await say("increment.request", more)).toEqual(refused("transaction_limit_exceeded"));
    expect(await say("reversal", { authorization, amount: 90_001 })).toEqual(refused("amount_exceeds_hold"));
    expect(await say("clearing", { authorization })).toEqual(approved);
    expect(await say("expiry", { authorization })).toEqual(refused("transaction_final"));
    const transactions = await purser.as(people.owner).cards.transactions.list({ organizationId, cardId });
    expect(transactions[0]).toMatchObject({ status: "COMPLETED", amount: 90_000 });
  });

  it("gets a refusal for an unknown card", async () => {
    const authorization = "auth-unknown";
    expect(await say("expiry", { authorization })).toEqual(refused("card_transaction_not_found"));
    expect(await say("expiry", { authorization, card: "sbx_unknown" })).toEqual(refused("card_not_found"));
    expect(await say("expiry", {})).toEqual({ outcome: "refused", reason: "malformed" });
  });
});
