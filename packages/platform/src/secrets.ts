import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  randomBytes,
} from "node:crypto";
import { type Column, getTableName } from "drizzle-orm";

/**
 * The keys for secrets at rest. The first key seals; every key opens what it sealed. `version` is a positive number,
 * `key` has 32 bytes.
 */
export type Keyring = readonly { version: number; key: Buffer }[];

/** Hashes a secret of 256 random bits. It cannot be guessed, so a fast hash without a salt is enough. */
export const hashSecret = (secret: string) => hash("sha256", secret, "base64url");

/** Where a secret is stored, such as table, column and primary key. It opens only with the same context. */
export type SealContext = readonly string[];

/** Returns the context of a secret in a column: its table, its column, and its row's primary key in the table's order. */
export function sealedIn(column: Column, primaryKey: readonly string[]): SealContext {
  return [getTableName(column.table), column.name, ...primaryKey];
}

/** A sealed text does not open. The message gives the reason and never the content. */
export class UnsealError extends Error {
  override readonly name = "UnsealError";
}

interface Prepared {
  sealing: KeyObject;
  /** Derived from the sealing key, because a key must have one purpose. */
  hashing: KeyObject;
}

/** Node would build a key object from the bytes at every use, which takes three times as long as the use itself. */
const preparedKeys = new WeakMap<Buffer, Prepared>();

function prepared(key: Buffer): Prepared {
  const known = preparedKeys.get(key);
  if (known !== undefined) return known;
  const hashing = createSecretKey(createHmac("sha256", key).update("keyed hash").digest());
  const made = { sealing: createSecretKey(key), hashing };
  preparedKeys.set(key, made);
  return made;
}

const form = "v1";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a text with the first key (AES-256-GCM): `v1.<key version>.<nonce>.<ciphertext and tag>`, the last two
 * in base64url. The context is authenticated but not stored: `unseal` needs the same context.
 */
export function seal(keys: Keyring, plaintext: string, context: SealContext): string {
  const [current] = keys;
  if (current === undefined) throw new Error("There is no key for secrets at rest");
  const nonce = newNonce();
  const cipher = createCipheriv("aes-256-gcm", prepared(current.key).sealing, nonce, {
    authTagLength: tagBytes,
  });
  cipher.setAAD(associated(current.version, context));
  const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [form, current.version, nonce.toString("base64url"), ciphertext.toString("base64url")].join(".");
}

/** Random bytes that no nonce has used yet. Reading many at once costs hardly more than reading one nonce. */
let unusedBytes = Buffer.alloc(0);

function newNonce(): Buffer {
  if (unusedBytes.length === 0) unusedBytes = randomBytes(256 * nonceBytes);
  const nonce = unusedBytes.subarray(0, nonceBytes);
  unusedBytes = unusedBytes.subarray(nonceBytes);
  return nonce;
}

/** Decrypts a result of {@link seal}. Throws {@link UnsealError} if the key is not configured or anything differs. */
export function unseal(keys: Keyring, sealed: string, context: SealContext): string {
  const version = sealedVersion(sealed);
  const entry = keys.find((key) => key.version === version);
  if (entry === undefined)
    throw new UnsealError(`It is sealed with key version ${version}, which is not configured`);
  const [, , nonce = "", ciphertext = ""] = sealed.split(".");
  const bytes = Buffer.from(ciphertext, "base64url");
  try {
    const { sealing } = prepared(entry.key);
    const decipher = createDecipheriv("aes-256-gcm", sealing, Buffer.from(nonce, "base64url"), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(associated(version, context));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    return decipher.update(bytes.subarray(0, -tagBytes), undefined, "utf8") + decipher.final("utf8");
  } catch {
    // The cipher's own error says less, and must not become an oracle.
    throw new UnsealError(
      `It was altered, or sealed in another context, or key version ${version} is another key`,
    );
  }
}

/** The version of the key that sealed a text. Throws {@link UnsealError} for a text of another form. */
export function sealedVersion(sealed: string): number {
  const match = /^v1\.([1-9]\d{0,8})\.[\w-]{16}\.[\w-]{22,}$/.exec(sealed);
  if (match === null) throw new UnsealError("It is not a sealed text");
  return Number(match[1]);
}

/**
 * Returns one hash of a text per key, in the order of the keys: `<key version>.<HMAC-SHA-256 in base64url>`. A column
 * stores the first hash; a lookup accepts any of them, so it finds a secret that an older key hashed.
 */
export function keyedHashes(keys: Keyring, plaintext: string, context: SealContext): string[] {
  const message = JSON.stringify([form, ...context, plaintext]);
  return keys.map(({ version, key }) => {
    const mac = createHmac("sha256", prepared(key).hashing).update(message).digest("base64url");
    return `${version}.${mac}`;
  });
}

/** A JSON array keeps two contexts apart, whatever characters their parts contain. */
function associated(version: number, context: SealContext): Buffer {
  return Buffer.from(JSON.stringify([form, version, ...context]));
}
