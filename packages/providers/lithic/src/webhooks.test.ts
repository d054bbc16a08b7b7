import type { IssuerWebhooks } from "@purser/cards/ports";
import { minute, testClock } from "@purser/core/testing";
import type { RefusedWebhook, VerifiedWebhook } from "@purser/platform/inbox";
import { Lithic } from "lithic";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { asaSecret, eventSecret, startLithicIssuer } from "./fake/issuer.ts";
import { fakeLithicPurchase, signLithicWebhook } from "./fake/network.ts";
import { type LithicWebhooks, lithicContract } from "./fake/vendor-contract.ts";

const clock = testClock();
let lithic: Awaited<ReturnType<typeof startLithicIssuer>>;
let webhooks: IssuerWebhooks;
beforeAll(async () => {
  lithic = await startLithicIssuer(clock);
  ({ webhooks } = lithic.issuer);
});
afterAll(async () => lithic.fake.close());
afterEach(() => vi.useRealTimers());

const requestType = "card_authorization.approval_request";
const purchase = fakeLithicPurchase({ card: "00000000-0000-4000-8000-00000000ca4d", amount: 1250 });
const request = purchase.request();
const update = purchase.update();
const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
const refusedFor = (reason: string) => ({ outcome: "refused", reason });

interface Sent {
  body: Buffer;
  headers: Headers;
}

/** Verifies a request, and checks that Lithic's SDK agrees at the same clock time. */
function verify(
  { body, headers }: Sent,
  secrets = [asaSecret, eventSecret],
): VerifiedWebhook | RefusedWebhook {
  vi.useFakeTimers({ toFake: ["Date"], now: clock.now() });
  const sdk = new Lithic({ apiKey: "key" });
  const believes = secrets.some((secret) => {
    try {
      sdk.webhooks.verifySignature(body.toString(), headers, secret);
      return true;
    } catch (error) {
      // The SDK parses only a body with a valid signature.
      return error instanceof SyntaxError;
    }
  });
  vi.useRealTimers();
  const check = webhooks.verify(body, headers, clock.now()) as VerifiedWebhook | RefusedWebhook;
  const isBelieved = check.outcome === "verified" || check.reason === "malformed";
  expect(isBelieved).toBe(believes);
  return check;
}

const changed = (sent: Sent, change: (headers: Headers) => void): Sent => {
  const headers = new Headers(sent.headers);
  change(headers);
  return { ...sent, headers };
};

describe("lithicWebhooks.verify", () => {
  it("accepts a request, identified by its token, as often as it is sent", () => {
    const verified = { outcome: "verified", eventId: request.token, type: requestType };
    expect(verify(signLithicWebhook(request, asaSecret, clock.now()))).toEqual(verified);
    expect(verify(signLithicWebhook(request, asaSecret, later(1000)))).toEqual(verified);
    expect(verify(signLithicWebhook({ ...request, event_type: undefined }, asaSecret, clock.now()))).toEqual(
      verified,
    );
  });

  it("accepts an event, identified by its message id", () => {
    expect(verify(signLithicWebhook(update, eventSecret, clock.now(), "msg_update"))).toEqual({
      outcome: "verified",
      eventId: "msg_update",
      type: "card_transaction.updated",
    });
  });

  it("refuses another secret", () => {
    const other = `whsec_${Buffer.from("of another").toString("base64")}`;
    expect(verify(signLithicWebhook(update, other, clock.now()))).toEqual(refusedFor("signature"));
  });

  it("refuses any other bytes", () => {
    const { body, headers } = signLithicWebhook(update, eventSecret, clock.now());
    const text = body.toString();
    for (const other of [JSON.stringify(update, null, 2), `${text} `, text.replace("1250", "1"), ""]) {
      expect(verify({ body: Buffer.from(other), headers })).toEqual(refusedFor("signature"));
    }
  });

  it.each<[string, (headers: Headers) => void]>([
    ["no signature", (headers) => headers.delete("webhook-signature")],
    ["an empty signature", (headers) => headers.set("webhook-signature", "v1,")],
    ["a wrong signature", (headers) => headers.set("webhook-signature", `v1,${"A".repeat(43)}=`)],
    ["text", (headers) => headers.set("webhook-signature", "signature")],
    [
      "a signature of another version",
      (headers) => headers.set("webhook-signature", headers.get("webhook-signature")!.replace("v1,", "v1a,")),
    ],
    ["no id", (headers) => headers.delete("webhook-id")],
    ["a changed id", (headers) => headers.set("webhook-id", "msg_other")],
    ["no time", (headers) => headers.delete("webhook-timestamp")],
    ["a changed time", (headers) => headers.set("webhook-timestamp", String(later(1000).getTime() / 1000))],
    ["an invalid time", (headers) => headers.set("webhook-timestamp", "soon")],
  ])("refuses %s", (_what, change) => {
    expect(verify(changed(signLithicWebhook(update, eventSecret, clock.now()), change))).toEqual(
      refusedFor("signature"),
    );
  });

  it("refuses a signature without an id", () => {
    expect(verify(signLithicWebhook(update, eventSecret, clock.now(), ""))).toEqual(refusedFor("signature"));
  });

  it("accepts one right signature among several", () => {
    const sent = changed(signLithicWebhook(update, eventSecret, clock.now()), (headers) =>
      headers.set("webhook-signature", `v1,AAAA v1a,BBBB ${headers.get("webhook-signature")}`),
    );
    expect(verify(sent)).toMatchObject({ outcome: "verified" });
  });

  it.each([
    [-5 * minute, "verified"],
    [-5 * minute - 1000, "refused"],
    [5 * minute, "verified"],
    [5 * minute + 1000, "refused"],
    [-24 * 60 * minute, "refused"],
    [24 * 60 * minute, "refused"],
  ])("signed %i ms from now is %s", (offset, outcome) => {
    expect(verify(signLithicWebhook(update, eventSecret, later(offset)))).toMatchObject({
      outcome,
      ...(outcome === "refused" && { reason: "time" }),
    });
  });

  it.each([
    ["invalid JSON", "{"],
    ["null", "null"],
    ["a list", "[]"],
    ["an endless type", JSON.stringify({ event_type: "t".repeat(256) })],
  ])("refuses %s, even if signed", (_what, text) => {
    expect(verify(signLithicWebhook(text, eventSecret, clock.now()))).toEqual(refusedFor("malformed"));
  });

  it("takes a request with a status of tomorrow for a request, which is declined and reported", () => {
    const text = JSON.stringify({ ...request, event_type: undefined, status: "A_STATUS_OF_TOMORROW" });
    const type = "card_authorization.approval_request";
    expect(verify(signLithicWebhook(text, eventSecret, clock.now()))).toMatchObject({
      outcome: "verified",
      type,
    });
    expect(webhooks.readRequest({ type, body: text, receivedAt: clock.now() })).toMatchObject({
      kind: "unreadable",
    });
  });

  it.each([
    ["no card", { ...request, card: undefined }],
    ["no card and no type", { ...request, event_type: undefined, card: undefined }],
    ["no status", { ...request, event_type: undefined, status: undefined }],
    ["a type of null", { ...request, event_type: null, amounts: [] }],
    ["an empty type", { ...request, event_type: "", card: { reference: "ca4d" } }],
  ])("takes whatever is no event for a request, which is declined and reported: with %s", (_what, other) => {
    const body = JSON.stringify(other);
    const { token: eventId } = request;
    expect(verify(signLithicWebhook(body, asaSecret, clock.now()))).toMatchObject({
      outcome: "verified",
      eventId,
      type: requestType,
    });
    const received = { type: requestType, body };
    expect(webhooks.readRequest({ ...received, receivedAt: clock.now() })).toMatchObject({
      kind: "unreadable",
    });
    const answer = webhooks.formatResponse(received, { approved: false, reason: null });
    expect(JSON.parse(answer.body)).toEqual({ result: "UNDECIDED", token: eventId });
  });

  it("takes an object without a token for a request too", () => {
    for (const text of ["{}", '{"token":""}', JSON.stringify({ token: "t".repeat(256) })]) {
      expect(verify(signLithicWebhook(text, asaSecret, clock.now(), "msg_request"))).toEqual({
        outcome: "verified",
        eventId: requestType,
        type: requestType,
      });
    }
  });

  it("refuses an id that is too long to store", () => {
    const sent = signLithicWebhook(update, eventSecret, clock.now(), "m".repeat(256));
    expect(verify(sent)).toEqual(refusedFor("malformed"));
  });

  it("accepts nothing without a secret, and throws for an empty one", () => {
    const { body, headers } = signLithicWebhook(update, eventSecret, clock.now());
    const without = lithic.issuerWith({ webhookSecrets: [] }).webhooks;
    expect(without.verify(body, headers, clock.now())).toEqual(refusedFor("signature"));
    for (const secret of ["", "whsec_", " "]) {
      expect(() => lithic.issuerWith({ webhookSecrets: [secret] })).toThrow("empty");
    }
  });
});

describe("lithicWebhooks.isRequest", () => {
  it("is true for requests only", () => {
    expect(webhooks.isRequest(requestType)).toBe(true);
    expect(webhooks.isRequest("card_transaction.updated")).toBe(false);
    expect(webhooks.isRequest("card.updated")).toBe(false);
  });
});

describe("lithicWebhooks.read", () => {
  const read = (type: string, what: object) => webhooks.read({ type, body: JSON.stringify(what) });

  it("reads all events of a transaction", () => {
    const settled = fakeLithicPurchase({ card: "00000000-0000-4000-8000-00000000ca4d", amount: 1250 });
    settled.happen("AUTHORIZATION", 1250, { held: 1250 });
    settled.happen("CLEARING", 400, { held: 850 });
    settled.happen("CLEARING", 850, { status: "SETTLED" });
    expect(read("card_transaction.updated", settled.update())).toMatchObject([
      { kind: "approval", approved: 1250 },
      { kind: "clearing", amount: 400, final: false },
      { kind: "clearing", amount: 850, final: true },
    ]);
  });

  it.each(["card.updated", "card.created", "settlement_report.updated", "card_authorization.challenge"])(
    "has no message for %s",
    (type) => {
      expect(read(type, { ...update, event_type: type })).toEqual([]);
    },
  );
});

describe("lithicWebhooks.readRequest", () => {
  const readRequest = (body: string) =>
    webhooks.readRequest({ type: requestType, body, receivedAt: clock.now() });

  it("reads an authorization", () => {
    const message = readRequest(JSON.stringify(request));
    expect(message).toMatchObject({ kind: "authorization", authorization: purchase.token });
  });

  it("cannot read a request that is not JSON, so that it is declined and reported", () => {
    expect(readRequest("{")).toMatchObject({ kind: "unreadable" });
  });
});

describe("lithicWebhooks.formatResponse", () => {
  const answer = (approved: boolean, reason: string | null, body = JSON.stringify(request)) => {
    const {
      status,
      headers,
      body: answered,
    } = webhooks.formatResponse({ type: requestType, body }, { approved, reason });
    expect({ status, headers }).toEqual({ status: 200, headers: { "content-type": "application/json" } });
    return JSON.parse(answered) as unknown;
  };

  it("approves", () => {
    expect(answer(true, null)).toEqual({ result: "APPROVED", token: request.token });
  });

  it("approves a part, with its amount", () => {
    const body = JSON.stringify(request);
    const response = { approved: true, reason: null, partialAmount: 700 };
    const { body: answered } = webhooks.formatResponse({ type: requestType, body }, response);
    const expected = { result: "APPROVED", token: request.token, approved_amount: 700 };
    expect(JSON.parse(answered)).toEqual(expected);
  });

  it("declines with Lithic's result for the reason", () => {
    const { token } = request;
    expect(answer(false, "card_frozen")).toEqual({ result: "CARD_PAUSED", token });
    expect(answer(false, "weekly_limit_exceeded")).toEqual({ result: "VELOCITY_EXCEEDED", token });
    expect(answer(false, "merchant_blocked")).toEqual({ result: "UNAUTHORIZED_MERCHANT", token });
    expect(answer(false, null)).toEqual({ result: "UNDECIDED", token });
  });

  it("declines an unreadable request", () => {
    expect(answer(false, null, "{")).toEqual({ result: "UNDECIDED" });
  });
});

describe("lithicWebhooks.readStatus", () => {
  it.each([
    ["OPEN", "open"],
    ["PAUSED", "suspended"],
    ["PENDING_FULFILLMENT", "suspended"],
    ["CLOSED", "closed"],
  ] as const)("reads the status of a card that is %s at Lithic", (state, status) => {
    const event: LithicWebhooks["card.updated"] = {
      event_type: "card.updated",
      card_token: "00000000-0000-4000-8000-00000000ca4d",
      previous_fields: { state: "OPEN" },
      state,
    };
    const body = JSON.stringify(lithicContract.webhook("card.updated", event));
    expect(webhooks.readStatus({ type: "card.updated", body })).toEqual({ card: event.card_token, status });
    expect(webhooks.readStatus({ type: "card.created", body })).toBeNull();
  });
});

describe("lithicWebhooks.readRenewal", () => {
  const event: LithicWebhooks["card.renewed"] = {
    event_type: "card.renewed",
    card_token: "00000000-0000-4000-8000-00000000ca4d",
    exp_month: "06",
    exp_year: "2031",
    previous_exp_month: "06",
    previous_exp_year: "2027",
  };
  const read = (type: string, what: object) => webhooks.readRenewal!({ type, body: JSON.stringify(what) });

  it("reads the new expiry of a card, from no other event", () => {
    const renewal = lithicContract.webhook("card.renewed", event);
    expect(read("card.renewed", renewal)).toEqual({
      card: event.card_token,
      expiryMonth: 6,
      expiryYear: 2031,
    });
    expect(read("card.updated", renewal)).toBeNull();
    expect(webhooks.readStatus({ type: "card.renewed", body: JSON.stringify(renewal) })).toBeNull();
    expect(webhooks.read({ type: "card.renewed", body: JSON.stringify(renewal) })).toEqual([]);
  });

  it.each([["card_token"], ["exp_month"], ["exp_year"]])(
    "throws for one without %s, so that it is reported",
    (field) => {
      expect(() => read("card.renewed", { ...event, [field]: undefined })).toThrow(
        "Lithic: cannot parse card.renewed (",
      );
    },
  );
});
