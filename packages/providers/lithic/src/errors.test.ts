import { inspect } from "node:util";
import { IssuerError, type IssuerErrorKind } from "@purser/cards/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { lithicError } from "./errors.ts";
import { lithicCardRequest, startLithicIssuer } from "./fake/issuer.ts";
import { lithicToken } from "./fake/replies.ts";
import type { LithicFault } from "./fake/server.ts";

const clock = testClock();
let lithic: Awaited<ReturnType<typeof startLithicIssuer>>;
let reference: string;
beforeAll(async () => {
  lithic = await startLithicIssuer(clock);
  ({ reference } = await lithic.issuer.createCard(lithicCardRequest()));
});
afterAll(async () => lithic.fake.close());
afterEach(() => vi.unstubAllEnvs());

let version = 0;
/** Returns the error of pausing a card when Lithic responds like this. */
async function failure(fault: LithicFault, timeoutMs?: number): Promise<unknown> {
  lithic.fake.fail(`PATCH /v1/cards/${reference}`, fault);
  const change = { cardId: "card_1", version: (version += 1) };
  return lithic
    .issuerWith({ timeoutMs })
    .setStatus(reference, "PAUSED", change)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

const words = { message: "Words for people.", debugging_request_id: lithicToken("debd", 1) };

describe("an error response", () => {
  it.each<[IssuerErrorKind, number]>([
    ["refused", 400],
    ["refused", 402],
    ["refused", 422],
    ["card_not_found", 404],
    ["rate_limited", 429],
    ["outage", 401],
    ["outage", 403],
    ["outage", 408],
    ["outage", 409],
    ["outage", 500],
    ["outage", 503],
  ])("is %s for %i", async (kind, status) => {
    const caught = await failure({ status, body: words });
    expect(caught).toBeInstanceOf(IssuerError);
    expect(caught).toMatchObject({ kind });
  });

  it("is an outage for a wrong API key", async () => {
    const issuer = lithic.issuerWith({ apiKey: "wrong" });
    await expect(issuer.createCard(lithicCardRequest())).rejects.toMatchObject({ kind: "outage" });
  });

  it.each([
    ["30", 30],
    ["Mon, 02 Mar 2026 09:00:20 GMT", 20],
  ])("reads the retry delay from %j", async (header, retryAfterSeconds) => {
    const caught = await failure({ status: 429, body: words, headers: { "retry-after": header } });
    expect(caught).toMatchObject({ kind: "rate_limited", retryAfterSeconds });
  });

  it("names the call, Lithic's message and its request id", async () => {
    const { message } = (await failure({ status: 400, body: words })) as Error;
    expect(message).toBe(`Lithic, cards.update: 400, request ${lithicToken("debd", 1)}: Words for people.`);
  });

  it("omits fields in an unexpected form", async () => {
    const body = { message: { pan: "4111111289144142" }, debugging_request_id: "4111111289144142" };
    const { message } = (await failure({ status: 400, body })) as Error;
    expect(message).toBe("Lithic, cards.update: 400");
  });

  it("contains no API key, card number, CVV or SDK error", async () => {
    const body = {
      message: "Card 4111 1112 8914 4142 (4111111289144142), CVV 776, of ada@example.com",
      pan: "4111111289144142",
    };
    const caught = await failure({ status: 400, body });
    const inspected = inspect(caught, { depth: 9, showHidden: true });
    // The stack names test files by the time of the run, in which any digits can occur.
    const text = `${inspected.replaceAll(/file:\S+/g, "")} ${JSON.stringify(caught)}`;
    expect(text).toContain("Card ####");
    expect(text).not.toMatch(/4111|8914|\b776\b|ada@/);
    expect(text).not.toContain(lithic.fake.apiKey);
    expect(caught).toHaveProperty("cause", undefined);
  });
});

describe("a missing or unreadable response", () => {
  it.each<[string, LithicFault]>([
    ["a broken connection", "lost"],
    ["a truncated response", "break"],
    ["a proxy's error page", { status: 502, text: "<html>Bad gateway</html>" }],
    ["an HTML page instead of the data", { status: 200, text: "<html>4111111289144142</html>" }],
    ["plain text", { status: 200, text: "4111111289144142", headers: { "content-type": "text/plain" } }],
    ["an empty response", { status: 200, text: "" }],
    ["null", { status: 200, text: "null" }],
    ["an empty object", { status: 200, text: "{}" }],
    ["a card number in another form", { status: 200, body: { token: "1", last_four: "4111111289144142" } }],
    ["a redirect", { status: 307, text: "", headers: { location: "/v1/cards" } }],
  ])("is an outage: %s", async (_what, fault) => {
    const caught = await failure(fault);
    expect(caught).toBeInstanceOf(IssuerError);
    expect(caught).toMatchObject({ kind: "outage" });
    expect(inspect(caught, { depth: 9 })).not.toContain("4111111289144142");
  });

  it.each(["hang", "stall"] as const)("is an outage after the timeout: %s", async (fault) => {
    expect(await failure(fault, 20)).toMatchObject({ kind: "outage" });
  });

  it("is an outage if the connection is refused", async () => {
    // Nothing listens there. `fetch` refuses some ports by itself, such as 9.
    const issuer = lithic.issuerWith({ baseUrl: "http://127.0.0.1:2" });
    await expect(issuer.createCard(lithicCardRequest())).rejects.toMatchObject({ kind: "outage" });
  });

  it("is an outage for any thrown value, and contains only its name", () => {
    const { message } = lithicError("cards.create", "4111111289144142", clock);
    expect(message).toBe("Lithic: no response to cards.create (string)");
  });
});

describe("the SDK", () => {
  it("logs nothing, even if the environment says so", async () => {
    vi.stubEnv("LITHIC_LOG", "debug");
    const logs = (["debug", "info", "warn", "error"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    await lithic.issuerWith().createCard(lithicCardRequest({ cardId: "card_quiet" }));
    for (const log of logs) {
      expect(log).not.toHaveBeenCalled();
      log.mockRestore();
    }
  });

  it("calls the configured address, not the one of the environment", async () => {
    vi.stubEnv("LITHIC_BASE_URL", "http://127.0.0.1:9");
    const card = await lithic.issuerWith().createCard(lithicCardRequest({ cardId: "card_there" }));
    expect(lithic.fake.cards.has(card.reference)).toBe(true);
  });
});
