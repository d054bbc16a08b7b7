import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns the six digits that an authenticator app shows at an instant, by default now (RFC 6238). */
export function totp(uri: string, at = Date.now()): string {
  const bits = (new URL(uri).searchParams.get("secret") ?? "")
    .split("")
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const mac = createHmac("sha1", key).update(counter).digest();
  const offset = mac.at(-1)! & 15;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

/** Returns a code that is not the current one. */
export const wrongTotp = (uri: string, off = 1): string =>
  String((Number(totp(uri)) + off) % 1_000_000).padStart(6, "0");
