import { minute } from "@purser/core/testing";
import { describe, expect, it } from "vitest";
import { sandboxSecret, signSandboxEvent, verifySandboxEvent } from "./sandbox.ts";

const now = new Date("2026-03-02T09:00:00.000Z");
const settings = { authSecret: "a secret of the service that is long enough" };
const secret = sandboxSecret(settings, "banking");
const event = { id: "evt_1", type: "transactions.changed", data: { consentId: "c" } };
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const verify = (body: Buffer, headers: Headers, at = now) => verifySandboxEvent(secret, body, headers, at);

describe("an event of a sandbox", () => {
  it("is accepted with its signature, for five minutes on both sides", () => {
    const body = bytes(event);
    const headers = signSandboxEvent(secret, body, now);
    const verified = { outcome: "verified", eventId: "evt_1", type: "transactions.changed" };
    for (const offset of [0, 5 * minute, -5 * minute]) {
      expect(verify(body, headers, new Date(now.getTime() + offset))).toEqual(verified);
    }
    for (const offset of [5 * minute + 1, -5 * minute - 1]) {
      const late = verify(body, headers, new Date(now.getTime() + offset));
      expect(late).toEqual({ outcome: "refused", reason: "time" });
    }
  });

  it("is rejected if it is altered, unsigned, or signed by another area or service", () => {
    const body = bytes(event);
    const refused = { outcome: "refused", reason: "signature" };
    const signed = signSandboxEvent(secret, body, now).get("Purser-Sandbox-Signature")!;
    expect(verify(bytes({ ...event, id: "evt_2" }), signSandboxEvent(secret, body, now))).toEqual(refused);
    for (const other of [
      sandboxSecret(settings, "cards"),
      sandboxSecret({ authSecret: "other" }, "banking"),
    ]) {
      expect(verify(body, signSandboxEvent(other, body, now))).toEqual(refused);
    }
    for (const header of [
      "",
      "t=1",
      signed.replace("t=", "t=1"),
      `${signed},v1=00`,
      signed.replace("v1", "v0"),
    ]) {
      expect(verify(body, new Headers({ "Purser-Sandbox-Signature": header }))).toEqual(refused);
    }
    expect(verify(body, new Headers())).toEqual(refused);
  });

  it("is rejected if the signed body contains no event", () => {
    for (const body of [
      Buffer.from("{"),
      bytes([]),
      bytes({ id: 1, type: "t", data: {} }),
      bytes({ id: "e", type: "t" }),
    ]) {
      expect(verify(body, signSandboxEvent(secret, body, now))).toEqual({
        outcome: "refused",
        reason: "malformed",
      });
    }
  });
});
