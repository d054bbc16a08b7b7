import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { type VerifyWebhookOptions, WebhookVerificationError, verifyWebhook } from "./webhooks.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const id = "evt_01kk9v5s8he4mbt2rz6xq3c7nf";
const sentAt = new Date("2026-03-18T19:48:36Z");
const body = JSON.stringify({
  type: "organization.updated",
  timestamp: "2026-03-18T19:48:35.000Z",
  data: { id, type: "organization.updated", data: { id: "org_1", name: "Zoë’s", avatarUrl: null } },
});

/** The headers of an attempt, signed by the public package. */
function sign(text = body, by = secret, at = sentAt): Record<string, string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(by).sign(id, at, text),
  };
}

const verify = (
  text: string | Uint8Array,
  headers: Parameters<typeof verifyWebhook>[1],
  by: string | string[] = secret,
  options: VerifyWebhookOptions = {},
) => verifyWebhook(text, headers, by, { now: sentAt, ...options });

async function refusal(verified: Promise<unknown>): Promise<string> {
  const error = await verified.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof WebhookVerificationError) return error.reason;
  throw new Error("It was not refused", { cause: error });
}

describe("verifyWebhook", () => {
  it("returns the delivery, of which the type tells the event", async () => {
    const delivery = await verify(body, sign());
    expect(delivery).toEqual(JSON.parse(body));
    if (delivery.type !== "organization.updated") throw new Error(delivery.type);
    const { name, avatarUrl }: { name: string; avatarUrl: string | null } = delivery.data.data;
    const createdAt: string = delivery.data.createdAt;
    expect([name, avatarUrl, createdAt]).toEqual(["Zoë’s", null, undefined]);
  });

  it("takes the body as bytes, and the headers of fetch", async () => {
    expect(await verify(Buffer.from(body), new Headers(sign()))).toEqual(JSON.parse(body));
  });

  it("takes one of several signatures, as after a rotation, and one of several secrets", async () => {
    const other = `whsec_${Buffer.from("another secret of this endpoint!").toString("base64")}`;
    const both = `${sign(body, other)["webhook-signature"]} ${sign()["webhook-signature"]}`;
    expect(await verify(body, { ...sign(), "webhook-signature": both })).toMatchObject({ data: { id } });
    expect(await verify(body, sign(body, other), [secret, other])).toMatchObject({ data: { id } });
    expect(await refusal(verify(body, sign(body, other)))).toBe("signature");
  });

  it.each([
    ["another body", body.replace("Zoë", "Eve"), {}],
    ["another id", body, { "webhook-id": "evt_other" }],
    ["another time", body, { "webhook-timestamp": "1773863317" }],
    ["another version", body, { "webhook-signature": sign()["webhook-signature"]!.replace("v1,", "v2,") }],
    ["no base64", body, { "webhook-signature": "v1,%%%" }],
    ["nothing", body, { "webhook-signature": "v1," }],
  ])("refuses a signature of %s", async (_, text, changed) => {
    expect(await refusal(verify(text, { ...sign(), ...changed }))).toBe("signature");
  });

  it("refuses a time that is too far from now, in both directions", async () => {
    const at = (seconds: number) => ({ now: new Date(sentAt.getTime() + seconds * 1000) });
    for (const seconds of [301, -301])
      expect(await refusal(verify(body, sign(), secret, at(seconds)))).toBe("timestamp");
    for (const seconds of [300, -300])
      expect(await verify(body, sign(), secret, at(seconds))).toMatchObject({ data: { id } });
    expect(await refusal(verify(body, sign(), secret, { ...at(20), toleranceSeconds: 10 }))).toBe(
      "timestamp",
    );
    expect(await refusal(verify(body, { ...sign(), "webhook-timestamp": "now" }))).toBe("timestamp");
  });

  it("refuses a request without the headers, and a signed body that is no delivery", async () => {
    expect(await refusal(verify(body, {}))).toBe("headers");
    for (const text of ["{", "null", '"text"', "{}", '{"type":"a","data":null}'])
      expect(await refusal(verify(text, sign(text)))).toBe("body");
  });

  it.each(["", "whsec_", "whsec_%", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])(
    "throws a TypeError for what is no secret: %j",
    async (wrong) => {
      await expect(verify(body, sign(), wrong)).rejects.toThrow(TypeError);
    },
  );
});
