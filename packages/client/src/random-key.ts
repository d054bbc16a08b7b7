/** Returns an idempotency key: 128 random bits. Not crypto.randomUUID, which browsers do not offer to pages without TLS. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
