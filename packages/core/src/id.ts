import { randomBytes } from "node:crypto";

/** What an identifier names: the part before its underscore. */
export type IdPrefix =
  | "org"
  | "mem"
  | "inv"
  | "sub"
  | "chk"
  | "user"
  | "ses"
  | "acc"
  | "ver"
  | "key"
  | "tfa"
  | "aud"
  | "evt"
  | "bcn"
  | "bac"
  | "btx"
  | "card"
  | "pol"
  | "ctx"
  | "cev"
  | "bsy"
  | "lnk"
  | "req";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
let lastMillisecond = -1;
let lastSequence = 0;

/**
 * Makes an identifier: the prefix and the 26 base32 characters of a UUIDv7 (TypeID).
 *
 * The instant in it is the one given, so rows made by one clock sort by identifier as they sort by creation
 * time. That is what every list's keyset rests on.
 */
export function newId(prefix: IdPrefix, at: Date): string {
  const bytes = randomBytes(16);
  const millisecond = at.getTime();
  bytes.writeUIntBE(millisecond, 0, 6);
  // Several rows of one millisecond keep the order in which they were made: the 26 bits after the time count.
  // They begin low in their range, so even a bulk insert at one instant does not run through it.
  const sequence = millisecond === lastMillisecond ? lastSequence + 1 : bytes.readUIntBE(6, 3);
  lastMillisecond = millisecond;
  lastSequence = sequence;
  bytes.writeUInt16BE(0x7000 | (sequence >> 14), 6);
  bytes.writeUInt16BE(0x8000 | (sequence & 0x3fff), 8);
  return `${prefix}_${base32(bytes)}`;
}

/**
 * Where an instant lies among identifiers: those made before it sort below, those made at it or later do not. So a
 * range of creation times is a range of identifiers, and needs no index of its own.
 */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  const bytes = Buffer.alloc(16);
  // What is before 1970 is before all identifiers.
  bytes.writeUIntBE(Math.max(0, at.getTime()), 0, 6);
  return `${prefix}_${base32(bytes)}`;
}

/** Whether a text has the form of an identifier with this prefix. It says nothing about whether it was issued. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text.slice(prefix.length + 1));
}

/** 128 bits as 26 characters; the first carries only three bits, as TypeID has it. */
function base32(bytes: Buffer): string {
  let value = (bytes.readBigUInt64BE(0) << 64n) | bytes.readBigUInt64BE(8);
  let text = "";
  for (let index = 0; index < 26; index += 1) {
    text = alphabet[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}
