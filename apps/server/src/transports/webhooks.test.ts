import { createHmac } from "node:crypto";
import type { WebhookReceiver } from "@purser/platform/inbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestService, createTestService } from "../testing/service.ts";

const secret = "shared with the provider";
const sign = (body: Uint8Array | string) => createHmac("sha256", secret).update(body).digest("hex");

/** The networks that sent the requests. */
const senders: (string | undefined)[] = [];

/** A provider that signs the raw bytes, as every provider does. */
const receiver: WebhookReceiver = {
  area: "billing",
  provider: "example",
  verify(body, headers, _now, sender) {
    senders.push(sender);
    if (headers.get("x-signature") !== sign(body)) return { outcome: "refused", reason: "signature" };
    if (headers.get("x-late") !== null) return { outcome: "refused", reason: "time" };
    return { outcome: "verified", eventId: headers.get("x-event") ?? "", type: "thing.happened" };
  },
  apply: async () => "APPLIED",
};

let service: TestService;
beforeAll(async () => {
  service = await createTestService({ receivers: [receiver], settings: { trustedProxies: ["0.0.0.0"] } });
});
afterAll(() => service.close());

async function send(
  body: Uint8Array<ArrayBuffer> | string,
  headers: Record<string, string>,
  provider = "example",
): Promise<Response> {
  const address = `http://localhost:3000/api/webhooks/billing/${provider}`;
  return service.app.request(address, { method: "POST", body, headers });
}

async function stored(eventId: string): Promise<number> {
  const rows = await service.purser.db.$client`select 1 from webhook_events where event_id = ${eventId}`;
  return rows.length;
}

describe("a webhook", () => {
  it("is stored before the response, and once however often it arrives", async () => {
    // Not UTF-8: the signature covers bytes, not text.
    const body = new Uint8Array([0x7b, 0xff, 0x7d]);
    const headers = { "x-signature": sign(body), "x-event": "evt-1" };
    const answers = await Promise.all([1, 2, 3].map(() => send(body, headers)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await stored("evt-1")).toBe(1);
  });

  it.each([
    ["a wrong signature", { "x-signature": "0".repeat(64), "x-event": "evt-2" }, 401],
    ["an expired signature", { "x-signature": sign("{}"), "x-event": "evt-2", "x-late": "1" }, 401],
    ["no event id", { "x-signature": sign("{}") }, 400],
  ])("with %s is not stored", async (_case, headers, status) => {
    const response = await send("{}", headers);
    expect(response.status).toBe(status);
    expect(await stored("evt-2")).toBe(0);
  });

  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ])("is verified with the network of its sender: %s", async (address, network) => {
    senders.length = 0;
    await send("{}", { "x-forwarded-for": address });
    expect(senders).toEqual([network]);
  });

  it("returns 404 for a provider that is not configured, and 405 for another method", async () => {
    expect((await send("{}", {}, "nobody")).status).toBe(404);
    const get = await service.app.request("http://localhost:3000/api/webhooks/billing/example");
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("returns 413 over 1 MiB", async () => {
    expect((await send("x".repeat(1024 * 1024 + 1), {})).status).toBe(413);
  });
});
