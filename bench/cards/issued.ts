import type { Settings } from "@purser/router";
import { type Person, type TestPurser, createTestPurser } from "@purser/router/testing";
import postgres, { type Sql } from "postgres";

/** An organization with many cards under one policy, whose monthly limit nobody reaches. */
export interface Issued {
  purser: TestPurser;
  owner: Person;
  organizationId: string;
  /** The first of the cards was issued, the others are copies of it. */
  cardIds: string[];
  /** The sandbox's name of a card. */
  referenceOf(cardId: string): string;
  sql: Sql;
  close(): Promise<void>;
}

export async function issueCards(count: number, settings: Partial<Settings> = {}): Promise<Issued> {
  const purser = await createTestPurser({ settings });
  // The service that is measured goes by the system's clock.
  purser.clock.set(new Date());
  const owner = await purser.person();
  const organizationId = await purser.organization(owner);
  const { banking, cards } = purser.as(owner);
  const bank = { provider: "sandbox", providerId: "sprout-bank", consentId: "bench" } as const;
  await banking.connections.connect({ teamId: organizationId, ...bank });
  const accounts = await banking.accounts.list({ teamId: organizationId });
  const { id: fundingAccountId } = accounts.find(({ currency }) => currency === "GBP")!;
  const policy = { name: "Bench", spendingLimit: 1e12, limitInterval: "MONTHLY" } as const;
  const { id: policyId } = await cards.policies.create({ organizationId, ...policy });
  const { id: first } = await cards.create({
    organizationId,
    fundingAccountId,
    policyId,
    assignedToId: owner.userId,
    purpose: "BUSINESS",
  });
  const sql = postgres(purser.platform.settings.databaseUrl!, { max: 1 });
  await sql`UPDATE cards SET issuer_reference = 'ref_' || id`;
  await sql`
    INSERT INTO cards
    SELECT copy.* FROM cards one, generate_series(2, ${count}::int) AS n,
      jsonb_populate_record(one, jsonb_build_object('id', 'card_' || lpad(n::text, 26, '0'),
        'issuer_reference', 'ref_card_' || lpad(n::text, 26, '0'))) AS copy
    WHERE one.id = ${first}`;
  await sql`VACUUM ANALYZE`;
  const rows = await sql<{ id: string }[]>`SELECT id FROM cards`;
  return {
    purser,
    owner,
    organizationId,
    sql,
    cardIds: rows.map(({ id }) => id),
    referenceOf: (cardId) => `ref_${cardId}`,
    async close() {
      await sql.end();
      await purser.close();
    },
  };
}
