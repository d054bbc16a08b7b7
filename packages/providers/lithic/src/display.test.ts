import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lithicCardRequest, startLithicIssuer } from "./fake/issuer.ts";

const clock = testClock();
const origin = "https://purser.example.com";
let lithic: Awaited<ReturnType<typeof startLithicIssuer>>;
let card: { reference: string; lastFour: string };
beforeAll(async () => {
  lithic = await startLithicIssuer(clock);
  card = await lithic.issuer.createCard(lithicCardRequest());
});
afterAll(async () => lithic.fake.close());

async function newSession(): Promise<string> {
  const grant = await lithic.issuer.display!.grant(card, { origin, nonce: null });
  if (grant.kind !== "lithic-embeds") throw new Error(`It is ${grant.kind}`);
  return grant.session;
}

/** Loads a frame as a browser does, without the API key. */
const load = (session: string, type: string) =>
  fetch(`${lithic.fake.url}/v1/embed?${String(new URLSearchParams({ session, type }))}`);

describe("lithicIssuer.display", () => {
  it("names the only host that a frame may load", () => {
    const { origin: host } = new URL(lithic.fake.url);
    expect(lithic.issuer.display!.component).toEqual({ kind: "lithic-embeds", origin: host });
    const live = lithic.issuerWith({ environment: "production", baseUrl: undefined });
    expect(live.display!.component).toEqual({ kind: "lithic-embeds", origin: "https://api.lithic.com" });
  });

  it.each([
    ["http://purser.example.com", false],
    ["https://purser.example.com", true],
    ["http://localhost:3000", true],
  ])("is there for pages at %s: %s, because Lithic's frames require TLS", (page, isThere) => {
    const { display } = lithic.issuerWith({ webhookUrl: `${page}/api/webhooks/cards/lithic` });
    expect(display !== null).toBe(isThere);
  });

  it("opens a session for one card, our page's origin and a minute", async () => {
    await newSession();
    expect(lithic.fake.requests.at(-1)).toMatchObject({
      call: `POST /v1/cards/${card.reference}/embed`,
      fields: {
        type: "CARD_EMBED",
        target_origin: origin,
        expiration: clock.now().getTime() / 1000 + 60,
      },
    });
  });

  it("lets a browser load each detail once, until the session expires", async () => {
    const session = await newSession();
    expect(await (await load(session, "PAN")).text()).toContain(card.lastFour);
    expect((await load(session, "PAN")).status).toBe(401);
    expect((await load(session, "CVV")).status).toBe(200);
    clock.advance(60_000);
    expect((await load(session, "EXP_YEAR")).status).toBe(401);
  });

  it("fails as a refusal for an origin that Lithic does not take, and as an outage if Lithic is down", async () => {
    const { display } = lithic.issuer;
    const insecure = display!.grant(card, { origin: "http://purser.example.com", nonce: null });
    await expect(insecure).rejects.toMatchObject({ name: "IssuerError", kind: "refused" });
    lithic.fake.fail(`POST /v1/cards/${card.reference}/embed`, { status: 503, body: {} });
    await expect(newSession()).rejects.toMatchObject({ kind: "outage" });
    lithic.fake.fail(`POST /v1/cards/${card.reference}/embed`, { status: 200, body: {} });
    await expect(newSession()).rejects.toMatchObject({ kind: "outage" });
  });
});
