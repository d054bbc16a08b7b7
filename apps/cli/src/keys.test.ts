import { bankAccounts } from "@purser/db";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { arrange, dispose, first, keyring, purser, ran, second } from "./testing/command.ts";

beforeAll(arrange);
afterAll(dispose);

const rotated = { ENCRYPTION_KEYS: keyring(second, first) };

async function usesOfAccounts(): Promise<string[]> {
  const { stdout } = await ran(["keys", "status", "--json"], rotated);
  const uses = JSON.parse(stdout) as { location: string; version: number; secrets: number; key: string }[];
  return uses
    .filter(({ location }) => location.startsWith("bank_accounts.identi"))
    .map(({ location, version, secrets, key }) => `${location} ${version} ${key}: ${secrets}`);
}

describe("purser keys", () => {
  it("rotate renews the hashes of all accounts but the one that cannot be read, and names it", async () => {
    const owner = await purser.person();
    const teamId = await purser.organization(owner);
    const { connections } = purser.as(owner).banking;
    const bank = { provider: "sandbox", providerId: "sandbox-bank", consentId: "mine" } as const;
    const { id: connectionId } = await connections.connect({ teamId, ...bank });
    await connections.sync({ teamId, connectionId });
    const [damaged, ...others] = await purser.db.select().from(bankAccounts).orderBy(asc(bankAccounts.id));
    expect(others.length).toBeGreaterThan(0);
    const identifiers = damaged!.identifiers.replace(/^v1\.1\./, "v1.9.");
    await purser.db.update(bankAccounts).set({ identifiers }).where(eq(bankAccounts.id, damaged!.id));
    const hashes = (rows: typeof others) => rows.flatMap((row) => row.identityHashes).length;
    expect(await usesOfAccounts()).toContain(
      `bank_accounts.identity_hashes 1 other: ${hashes([damaged!, ...others])}`,
    );

    const rotation = await ran(["keys", "rotate"], rotated);
    expect(rotation.code).toBe(1);
    expect(rotation.stdout).toMatch(/^\d+ secrets were encrypted with key version 2\.\n$/);
    const reason = "It is sealed with key version 9, which is not configured";
    expect(rotation.stderr).toContain(
      `\nbank_accounts.identifiers ${teamId} ${damaged!.id}: ${reason}\nerror: 1 secret was not decrypted and not changed\n`,
    );
    expect(await usesOfAccounts()).toEqual([
      `bank_accounts.identifiers 2 first: ${others.length}`,
      "bank_accounts.identifiers 9 missing: 1",
      `bank_accounts.identity_hashes 1 other: ${hashes([damaged!])}`,
      `bank_accounts.identity_hashes 2 first: ${hashes(others)}`,
    ]);
  });
});
