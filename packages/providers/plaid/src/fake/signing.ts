import { createHash } from "node:crypto";
import { type CryptoKey, SignJWT, exportJWK, generateKeyPair } from "jose";
import type { PlaidState } from "./state.ts";

export interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

/** Creates a key with which Plaid signs webhooks. `expiredAt` is in seconds since 1970. */
export async function newSigningKey({ keys, nextId }: PlaidState, expiredAt: number | null = null) {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const kid = `key-${nextId()}`;
  const { x = "", y = "" } = await exportJWK(publicKey);
  const jwk = { alg: "ES256", crv: "P-256", kid, kty: "EC", use: "sig", x, y };
  keys.set(kid, { ...jwk, created_at: 1_560_466_143, expired_at: expiredAt });
  return { kid, privateKey, publicKey } satisfies SigningKey;
}

/** Returns the header `Plaid-Verification` of a webhook. */
export async function signWebhook(
  { kid, privateKey }: Pick<SigningKey, "kid" | "privateKey">,
  body: string,
  now: Date,
): Promise<string> {
  return new SignJWT({ request_body_sha256: createHash("sha256").update(body).digest("hex") })
    .setProtectedHeader({ alg: "ES256", kid, typ: "JWT" })
    .setIssuedAt(Math.floor(now.getTime() / 1000))
    .sign(privateKey);
}
