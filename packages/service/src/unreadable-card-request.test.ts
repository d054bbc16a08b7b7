import { cardReceivers } from "@purser/cards";
import { flakyIssuer } from "@purser/cards/testing";
import { stripeIssuingWebhooks } from "@purser/stripe/issuing";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

describe("a card request that cannot be read", () => {
  it("is declined, counted, and logged without its values", async () => {
    const log: object[] = [];
    const counted: unknown[] = [];
    const { issuers } = flakyIssuer();
    const webhooks = stripeIssuingWebhooks([], () => Promise.reject(new Error("Not called")));
    const issuer = { ...(await issuers.at("sandbox")), webhooks };
    const { logger, meter } = purser.platform;
    const [receiver] = cardReceivers({
      ...purser.platform,
      issuers: { ...issuers, at: async () => issuer },
      logger: { ...logger, error: (fields: object) => void log.push(fields) },
      meter: { ...meter, count: (metric, labels) => void counted.push([metric.name, labels]) },
    });
    const type = "issuing_authorization.request";
    const body = JSON.stringify({ created: 1, data: { object: { id: "secret" } } });
    const event = { area: "cards", provider: "sandbox", eventId: "evt_1", receivedAt: new Date() } as const;
    const answer = await receiver!.answer!({ ...event, type, body });
    expect(JSON.parse(answer!.body)).toEqual({ approved: false });
    expect(log).toMatchObject([{ issuer: "sandbox", type, issues: expect.stringContaining("data.object") }]);
    expect(JSON.stringify(log)).not.toContain("secret");
    expect(counted).toContainEqual(["purser_card_unreadable_requests_total", { issuer: "sandbox" }]);
  });
});
