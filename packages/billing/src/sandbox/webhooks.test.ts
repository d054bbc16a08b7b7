import { sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import { describe, expect, it } from "vitest";
import { sandboxBillingWebhooks } from "./webhooks.ts";

const now = new Date("2026-03-02T09:00:00.000Z");
const settings = { authSecret: "a secret of the service that is long enough" };
const { verify, read } = sandboxBillingWebhooks(settings);
const data = { organizationId: "org_1", subscriptionId: "sub_1" };
const body = JSON.stringify({ id: "evt_1", type: "invoice.paid", data });

describe("an event of the built-in provider", () => {
  it("is verified with the secret of billing only", () => {
    const bytes = Buffer.from(body);
    const signed = (area: "billing" | "banking") =>
      verify(bytes, signSandboxEvent(sandboxSecret(settings, area), bytes, now), now);
    expect(signed("billing")).toEqual({ outcome: "verified", eventId: "evt_1", type: "invoice.paid" });
    expect(signed("banking")).toEqual({ outcome: "refused", reason: "signature" });
  });

  it("names a subscription and its organization, for every type", () => {
    for (const type of ["invoice.paid", "something.new"])
      expect(read({ type, body })).toEqual({ kind: "subscription", ...data });
  });

  it.each(["{", "[]", "{}", JSON.stringify({ id: "e", type: "t", data: { subscriptionId: "sub_1" } })])(
    "names no subscription if its body is %j",
    (unreadable) => {
      expect(read({ type: "invoice.paid", body: unreadable })).toBeNull();
    },
  );
});
