import { randomUUID } from "node:crypto";
import { webhooks as sdk } from "@polar-sh/sdk/2026-10";
import type { SignedEvent } from "@purser/billing/testing";
import { minute, testClock } from "@purser/core/testing";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { signPolarEvent } from "./fake/events.ts";
import { polarWebhooks } from "./webhooks.ts";

const clock = testClock();
afterEach(() => vi.useRealTimers());

const secretOf = (key: string) => `whsec_${Buffer.from(key).toString("base64")}`;
const secret = secretOf("thirty-two bytes to sign it with");
const old = "whsec_ovyN6cPrTv56AApvzCaJno08SSmGJmgbWilb33N2JuK";
const event = JSON.stringify({ type: "subscription.updated", data: { id: randomUUID() } });
const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
const sign = (body = event, at = clock.now(), id = "msg_1") => signPolarEvent(body, { secret, at, id });
const refusedFor = (reason: string) => ({ outcome: "refused", reason });
const verified = { outcome: "verified", eventId: "msg_1", type: "subscription.updated" };

/** Verifies a request, and checks that Polar's SDK agrees at the same clock time. */
async function verify({ body, headers }: SignedEvent, secrets = [secret]) {
  vi.useFakeTimers({ toFake: ["Date"], now: clock.now() });
  const verdicts = await Promise.all(
    secrets.map((one) =>
      sdk.validateEvent(body, Object.fromEntries(headers) as never, one).then(
        () => true,
        // The SDK parses only a body with a valid signature.
        (error: unknown) => !(error instanceof sdk.PolarWebhookVerificationError),
      ),
    ),
  );
  vi.useRealTimers();
  const check = polarWebhooks(secrets).verify(body, headers, clock.now());
  expect(check.outcome === "verified" || check.reason === "malformed").toBe(verdicts.includes(true));
  return check;
}

const changed = ({ body, headers }: SignedEvent, name: string, value: string | null): SignedEvent => {
  const other = new Headers(headers);
  if (value === null) other.delete(name);
  else other.set(name, value);
  return { body, headers: other };
};

describe("polarWebhooks.verify", () => {
  it("accepts a signed event, identified by its message id, as often as it is sent", async () => {
    expect(await verify(sign())).toEqual(verified);
    expect(await verify(sign(event, later(1000)))).toEqual(verified);
  });

  it.each([
    ["the decoded secret", secret, new Webhook(secret)],
    ["the characters of an old secret", old, new Webhook(Buffer.from(old).toString("base64"))],
    [
      "the characters of an even older secret",
      "polar_whs_8tW2",
      new Webhook(Buffer.from("polar_whs_8tW2").toString("base64")),
    ],
    ["a decoded secret without a prefix", secret.slice(6), new Webhook(secret)],
  ])("accepts what the Standard Webhooks library signs with %s", async (_what, ours, library) => {
    const { body, headers } = sign();
    const signature = library.sign("msg_1", clock.now(), event);
    expect(await verify(changed({ body, headers }, "webhook-signature", signature), [ours])).toEqual(
      verified,
    );
  });

  it("accepts every secret during a rotation, and no other", async () => {
    expect(await verify(sign(), [secretOf("another one of thirty-two bytes!"), secret])).toEqual(verified);
    expect(
      await verify(signPolarEvent(event, { secret: old, at: clock.now(), isOld: true, id: "msg_1" }), [
        secret,
        old,
      ]),
    ).toEqual(verified);
    expect(await verify(sign(), [old])).toEqual(refusedFor("signature"));
    expect(polarWebhooks([]).verify(sign().body, sign().headers, clock.now())).toEqual(
      refusedFor("signature"),
    );
  });

  it("accepts one valid signature among several", async () => {
    const right = sign().headers.get("webhook-signature")!;
    const wrong = `v1,${Buffer.alloc(32).toString("base64")}`;
    for (const several of [`${wrong} ${right}`, `${right} ${wrong}`, `v1a,${wrong.slice(3)} ${right}`])
      expect(await verify(changed(sign(), "webhook-signature", several))).toEqual(verified);
  });

  it("accepts only the exact bytes that were signed", async () => {
    const { headers } = sign();
    for (const other of [`${event} `, event.replace("updated", "revoked"), "", "{}"])
      expect(await verify({ body: Buffer.from(other), headers })).toEqual(refusedFor("signature"));
    const broken = Buffer.concat([Buffer.from(event), Buffer.from([0xff])]);
    const replaced = sign(broken.toString("utf8"));
    expect(polarWebhooks([secret]).verify(broken, replaced.headers, clock.now())).toEqual(
      refusedFor("signature"),
    );
  });

  it.each([
    ["webhook-signature", null],
    ["webhook-signature", ""],
    ["webhook-signature", "v1,"],
    ["webhook-signature", "v1"],
    ["webhook-signature", `v2,${sign().headers.get("webhook-signature")!.slice(3)}`],
    ["webhook-signature", sign().headers.get("webhook-signature")!.slice(3)],
    ["webhook-signature", `v1,${Buffer.alloc(32).toString("base64")}`],
    ["webhook-id", null],
    ["webhook-id", "msg_2"],
    ["webhook-timestamp", null],
    ["webhook-timestamp", "soon"],
    ["webhook-timestamp", "1772442001"],
  ])("refuses %s: %s", async (name, value) => {
    expect(await verify(changed(sign(), name, value))).toEqual(refusedFor("signature"));
  });

  it.each([
    [-5 * minute, "verified"],
    [-5 * minute - 1000, "refused"],
    [5 * minute, "verified"],
    [5 * minute + 1000, "refused"],
  ])("signed %i ms from now is %s", async (offset, outcome) => {
    const reason = outcome === "refused" && { reason: "time" };
    expect(await verify(sign(event, later(offset)))).toMatchObject({ outcome, ...reason });
  });

  it.each(["{", "null", "[]", "{}", '{"type":""}', '{"type":1}', `{"type":"${"x".repeat(256)}"}`])(
    "refuses %s, even if signed",
    async (body) => {
      expect(await verify(sign(body))).toEqual(refusedFor("malformed"));
    },
  );

  it("accepts an event type that the SDK does not know", async () => {
    const unknown = sign('{"type":"subscription.of_tomorrow"}');
    expect(await verify(unknown)).toEqual({ ...verified, type: "subscription.of_tomorrow" });
  });

  it("refuses an id that is empty or too long to store", async () => {
    expect(await verify(sign(event, clock.now(), "x".repeat(256)))).toEqual(refusedFor("malformed"));
    expect(await verify(sign(event, clock.now(), ""))).toEqual(refusedFor("signature"));
  });

  it("throws for an empty secret, and accepts no signature by a short key", () => {
    expect(() => polarWebhooks([" "])).toThrow("empty");
    const quoted = "ä ö ü ß x!";
    const { body, headers } = signPolarEvent(event, { secret: quoted, at: clock.now() });
    expect(polarWebhooks([quoted]).verify(body, headers, clock.now())).toEqual(refusedFor("signature"));
    const short = secretOf("x");
    const guessed = signPolarEvent(event, { secret: short, at: clock.now() });
    expect(polarWebhooks([short]).verify(guessed.body, guessed.headers, clock.now())).toEqual(
      refusedFor("signature"),
    );
  });
});

describe("polarWebhooks.read", () => {
  const { read } = polarWebhooks([secret]);
  const subscriptionId = randomUUID();
  const id = randomUUID();
  const ours = { metadata: { purser_organization: "org_1" } };
  const notice = { kind: "subscription", subscriptionId, organizationId: "org_1" };
  const of = (type: string, data: unknown) => read({ type, body: JSON.stringify({ type, data }) });

  it.each(
    "created active updated canceled uncanceled cycled past_due paused resumed revoked of_tomorrow".split(
      " ",
    ),
  )("names the subscription of subscription.%s", (change) => {
    expect(of(`subscription.${change}`, { id: subscriptionId, ...ours })).toEqual(notice);
  });

  it.each(["order.created", "order.paid", "order.refunded", "refund.created", "checkout.updated"])(
    "names the subscription that %s belongs to, if any",
    (type) => {
      expect(of(type, { id, subscription_id: subscriptionId, ...ours })).toEqual(notice);
      expect(of(type, { id, subscription_id: null, ...ours })).toBeNull();
      expect(of(type, { id, ...ours })).toBeNull();
    },
  );

  it("names the organization if Polar does", () => {
    const noticeFor = (data: object) => of("subscription.updated", { id: subscriptionId, ...data });
    expect(noticeFor({ customer: { external_id: "org_2" } })).toEqual({ ...notice, organizationId: "org_2" });
    expect(noticeFor({})).toEqual({ ...notice, organizationId: null });
  });

  it.each(["product.created", "product.updated", "product.of_tomorrow"])(
    "reads %s as a catalog change",
    (type) => {
      expect(of(type, { id })).toEqual({ kind: "catalog" });
    },
  );

  it.each([
    "customer.state_changed",
    "benefit_grant.created",
    "organization.updated",
    "subscription_x.made",
    "",
    ".",
  ])("reads nothing from %j", (type) => {
    expect(of(type, { id, subscription_id: subscriptionId, ...ours })).toBeNull();
  });

  it.each([
    "{",
    "null",
    "[]",
    "{}",
    '{"data":null}',
    '{"data":{}}',
    '{"data":{"id":"1"}}',
    '{"data":{"id":7}}',
  ])("reads nothing from the body %s", (body) => {
    expect(read({ type: "subscription.updated", body })).toBeNull();
  });
});
