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
  text: Parameters<typeof verifyWebhook>[0],
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

  /** The headers of a platform or a library that is not `fetch`. */
  class OtherHeaders {
    readonly #values = new Headers(sign());
    get(name: string): string | null {
      return this.#values.get(name);
    }
  }
  const named = (change: (name: string) => string) =>
    Object.fromEntries(Object.entries(sign()).map(([name, value]) => [change(name), value]));

  it.each<[string, Parameters<typeof verifyWebhook>[1]]>([
    ["with capital letters", named((name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()))],
    ["in upper case", named((name) => name.toUpperCase())],
    ["as lists", Object.fromEntries(Object.entries(sign()).map(([name, value]) => [name, [value]]))],
    ["of another library", new OtherHeaders()],
    ["beside one that is called get", { ...sign(), get: "1", absent: undefined }],
  ])("takes headers %s", async (_, headers) => {
    expect(await verify(body, headers)).toMatchObject({ data: { id } });
    expect(await refusal(verify(body, headers, secret, { now: new Date(0) }))).toBe("timestamp");
  });

  it("takes the body as the buffer that request.arrayBuffer() returns, and as a part of one", async () => {
    const { buffer } = new TextEncoder().encode(body);
    expect(await verify(buffer, sign())).toEqual(JSON.parse(body));
    const larger = new TextEncoder().encode(`>>${body}<<`);
    expect(await verify(larger.subarray(2, -2), sign())).toEqual(JSON.parse(body));
    expect(await refusal(verify(larger.buffer, sign()))).toBe("signature");
    // What a framework has parsed is not what was signed.
    const parsed = JSON.parse(body) as string;
    expect(await refusal(verify(parsed, sign()))).toBe("signature");
  });

  it("takes several signatures that are several headers", async () => {
    const other = `v1,${Buffer.alloc(32).toString("base64")}`;
    const own = sign()["webhook-signature"]!;
    for (const signatures of [
      [other, own],
      [own, other],
      `${other}, ${own}`,
      `${own},${other}`,
      `v1a,x ${own}`,
    ])
      expect(await verify(body, { ...sign(), "webhook-signature": signatures })).toMatchObject({
        data: { id },
      });
    for (const signatures of [`v1a,${own.slice(3)}`, `x${own}`])
      expect(await refusal(verify(body, { ...sign(), "webhook-signature": signatures }))).toBe("signature");
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

  it("has the type of a test event, whose data are the endpoint", async () => {
    const endpoint = { id: "whe_1", url: "https://hooks.demo.example/purser" };
    const event = { id, type: "webhook_endpoint.test", data: endpoint };
    const text = JSON.stringify({ type: event.type, timestamp: sentAt, data: event });
    const payload = await verify(text, sign(text));
    // This does not compile unless the type is among those of a payload.
    expect(payload.type === "webhook_endpoint.test" && payload.data.data.url).toBe(endpoint.url);
  });

  it.each(["", "whsec_", "whsec_%", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])(
    "throws a TypeError for what is no secret: %j",
    async (wrong) => {
      await expect(verify(body, sign(), wrong)).rejects.toThrow(TypeError);
    },
  );
});
