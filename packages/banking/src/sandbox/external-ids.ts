import { createCipheriv, createDecipheriv, hash } from "node:crypto";

/** The ids of accounts and transactions under one consent. They differ under another consent, as at real banks. */
export interface ExternalIds {
  account(account: number): string;
  transaction(transaction: number): string;
  /** Decodes an id. Returns null if this consent never issued it. */
  accountOf(externalId: string): number | null;
  transactionOf(externalId: string): number | null;
}

const kinds = { acct: 1, txn: 2 } as const;

/** Creates the codec for the ids of a consent. */
export function externalIdsOf(organizationId: string, consentId: string): ExternalIds {
  const key = hash("sha256", `${organizationId}\n${consentId}`, "buffer").subarray(0, 16);
  // A single cipher block is a permutation: ids are unique, look random, and decode without being stored.
  const cipher = createCipheriv("aes-128-ecb", key, null).setAutoPadding(false);
  const decipher = createDecipheriv("aes-128-ecb", key, null).setAutoPadding(false);

  const encode = (kind: keyof typeof kinds, number: number): string => {
    const block = Buffer.alloc(16);
    block.writeUInt8(kinds[kind], 0);
    block.writeUInt32BE(number, 12);
    return `${kind}-${cipher.update(block).toString("hex")}`;
  };
  const decode = (kind: keyof typeof kinds, externalId: string): number | null => {
    if (!externalId.startsWith(`${kind}-`) || !/^\w+-[0-9a-f]{32}$/.test(externalId)) return null;
    const block = decipher.update(Buffer.from(externalId.slice(kind.length + 1), "hex"));
    const isOurs = block.readUInt8(0) === kinds[kind] && block.subarray(1, 12).every((byte) => byte === 0);
    return isOurs ? block.readUInt32BE(12) : null;
  };
  return {
    account: (account) => encode("acct", account),
    transaction: (transaction) => encode("txn", transaction),
    accountOf: (externalId) => decode("acct", externalId),
    transactionOf: (externalId) => decode("txn", externalId),
  };
}
