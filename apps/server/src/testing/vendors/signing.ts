import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Message } from "./messages.ts";

/** The library's part that signs. Both SDKs verify with this library, and tests of a consumer sign with it. */
interface StandardWebhooks {
  Webhook: new (secret: string) => { sign(id: string, at: Date, body: string): string };
}

const providers = resolve(import.meta.dirname, "../../../../../packages/providers");
const requireFrom = (vendor: string) => createRequire(resolve(providers, vendor, "package.json"));

/** Only the vendors' packages depend on the library: Lithic's SDK itself, and Polar's tests in addition to its SDK. */
const libraries = {
  lithic: createRequire(requireFrom("lithic").resolve("lithic"))("standardwebhooks") as StandardWebhooks,
  polar: requireFrom("polar")("standardwebhooks") as StandardWebhooks,
};

/** Signs a message with the library with which the vendor's SDK verifies it. */
export function signStandardWebhook(
  vendor: keyof typeof libraries,
  message: Message,
  { secret, at, id }: { secret: string; at: Date; id: string },
) {
  const { Webhook } = libraries[vendor];
  const body = JSON.stringify(message);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
  return { body: Buffer.from(body), headers: new Headers(headers) };
}
