import { createHmac } from "node:crypto";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lithicCardRequest, startLithicIssuer } from "./fake/issuer.ts";

const clock = testClock();
let lithic: Awaited<ReturnType<typeof startLithicIssuer>>;
beforeAll(async () => (lithic = await startLithicIssuer(clock)));
afterAll(async () => lithic.fake.close());

async function addressOf(card: { reference: string; lastFour: string }): Promise<URL> {
  const grant = await lithic.issuer.display!.grant(card, null);
  if (grant.kind !== "frame") throw new Error(`It is ${grant.kind}`);
  return new URL(grant.url);
}

describe("lithicIssuer.display", () => {
  it("names the only host that the frame may load", () => {
    const { origin } = new URL(lithic.fake.url);
    expect(lithic.issuer.display!.component).toEqual({ kind: "frame", origin });
    const live = lithic.issuerWith({ environment: "production", baseUrl: undefined });
    expect(live.display!.component).toEqual({ kind: "frame", origin: "https://api.lithic.com" });
  });

  it("signs an address for one card and a minute, without a call", async () => {
    const { requests, apiKey } = lithic.fake;
    const card = await lithic.issuer.createCard(lithicCardRequest());
    const before = requests.length;
    const { pathname, searchParams } = await addressOf(card);
    expect([requests.length, pathname]).toEqual([before, "/v1/embed/card"]);
    const json = Buffer.from(searchParams.get("embed_request")!, "base64").toString();
    const expiration = new Date(clock.now().getTime() + 60_000).toISOString();
    expect(JSON.parse(json)).toEqual({ token: card.reference, expiration });
    expect(searchParams.get("hmac")).toBe(createHmac("sha256", apiKey).update(json).digest("base64"));
    expect(searchParams.toString()).not.toContain(apiKey);
  });

  it("opens for a browser without the API key, until it expires", async () => {
    const card = await lithic.issuer.createCard(lithicCardRequest({ cardId: "card_2" }));
    const url = await addressOf(card);
    expect(await (await fetch(url)).text()).toContain(`${card.lastFour}</p>`);
    const forged = new URL(url);
    forged.searchParams.set("hmac", "x".repeat(44));
    expect((await fetch(forged)).status).toBe(403);
    clock.advance(60_000);
    expect((await fetch(url)).status).toBe(403);
  });
});
