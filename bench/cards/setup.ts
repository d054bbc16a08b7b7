import { randomUUID } from "node:crypto";
import { deliverSandboxEvent } from "@purser/platform/inbox";
import type { Settings } from "@purser/platform/settings";
import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import postgres, { type Sql } from "postgres";

/** An organization with many cards under one policy, whose monthly limit no card reaches. */
export interface Issued {
  purser: TestPurser;
  owner: Person;
  organizationId: string;
  policyId: string;
  /** The first card is issued, the others are copies of it. */
  cardIds: string[];
  /** The sandbox network's id of a card. */
  referenceOf(cardId: string): string;
  sql: Sql;
  close(): Promise<void>;
}

/** Issues so many cards in each of so many organizations. The first organization is the one that is named. */
export async function issueCards(
  count: number,
  settings: Partial<Settings> = {},
  { organizations = 1 } = {},
): Promise<Issued> {
  const purser = await createTestPurser({ settings });
  // The measured service uses the system's clock.
  purser.clock.set(new Date());
  const owner = await purser.person();
  const sql = postgres(purser.platform.settings.databaseUrl!, { max: 1 });
  const issued: { organizationId: string; policyId: string }[] = [];
  for (let nth = 0; nth < organizations; nth += 1)
    issued.push(await issueInOrganization(purser, owner, sql, { count, nth }));
  await sql`UPDATE cards SET issuer_reference = 'ref_' || id`;
  await sql`VACUUM ANALYZE`;
  const rows = await sql<{ id: string }[]>`SELECT id FROM cards`;
  return {
    purser,
    owner,
    ...issued[0]!,
    sql,
    cardIds: rows.map(({ id }) => id),
    referenceOf: (cardId) => `ref_${cardId}`,
    async close() {
      await sql.end();
      await purser.close();
    },
  };
}

/** Creates an organization, issues a card in it, and copies the card. */
async function issueInOrganization(
  purser: TestPurser,
  owner: Person,
  sql: Sql,
  { count, nth }: { count: number; nth: number },
) {
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
  const [card] = await sql<{ row: object }[]>`SELECT to_jsonb(cards) AS row FROM cards WHERE id = ${first}`;
  const copies = Array.from({ length: count - 1 }, (_, copy) => {
    const id = `card_${String(nth * count + copy).padStart(26, "0")}`;
    return { ...card!.row, id, issuer_reference: `ref_${id}` };
  });
  await sql`INSERT INTO cards SELECT * FROM jsonb_populate_recordset(NULL::cards, ${sql.json(copies)})`;
  return { organizationId, policyId };
}

/**
 * Adds twenty past purchases per card, and analyzes the tables. Otherwise PostgreSQL keeps the plans that it made for
 * empty tables, for foreign keys too, until autovacuum analyzes them.
 */
export async function useCards({ sql, organizationId, cardIds }: Issued): Promise<void> {
  await sql`
    INSERT INTO card_transactions (organization_id, id, card_id, authorization_reference, status, amount, currency,
      merchant_name, channel, authorized, held, cleared, refunded, purchased_at, local_day, created_at, settled_at)
    SELECT ${organizationId}, 'ctx_' || card_id || n, card_id, 'past-' || n, 'COMPLETED', 1250, 'GBP', 'Shop', 'online',
      1250, 0, 1250, 0, at, at::date, at, at
    FROM unnest(${cardIds}::text[]) AS card_id, generate_series(1, 20) AS n,
      LATERAL (SELECT timestamptz '2025-01-01' + n * interval '1 day' AS at) AS placed`;
  await sql`
    INSERT INTO card_events (organization_id, id, card_id, transaction_id, kind, network_id, amount, counted, created_at)
    SELECT organization_id, 'cev_' || id, card_id, id, 'CLEARING', 'past-' || id, amount, amount, created_at
    FROM card_transactions`;
  await sql`VACUUM ANALYZE`;
}

/** Yields authorization requests of the sandbox network, cycling through the cards. */
export function purchasesOf({ referenceOf }: Issued, cardIds: string[]) {
  let count = 0;
  return () => {
    count += 1;
    const data = {
      card: referenceOf(cardIds[count % cardIds.length]!),
      at: new Date().toISOString(),
      amount: 1250,
      currency: "GBP",
      channel: "online",
      merchant: {
        name: "Corner Coffee",
        id: "acceptor-1",
        category: "5814",
        country: "GB",
      },
    };
    return { id: randomUUID(), type: "authorization.request", data };
  };
}

/** Decides on purchases in this process, as the webhook endpoint does. Throws if one is not approved. */
export function deciderOn(issued: Issued, cardIds: string[]) {
  const { platform, receivers } = issued.purser;
  const next = purchasesOf(issued, cardIds);
  const approved = JSON.stringify({ approved: true, reason: null });
  return async () => {
    const receipt = await deliverSandboxEvent(platform, receivers, { area: "cards", event: next() });
    if (receipt.outcome !== "answered" || receipt.response.body !== approved)
      throw new Error(`A purchase was not approved: ${JSON.stringify(receipt)}`);
  };
}

/** Lets buyers purchase with 100 cards each until it is stopped. Returns the number of purchases then. */
export function startBuying(issued: Issued, buyers: number) {
  const stopped = new AbortController();
  const counts = Array.from({ length: buyers }, async (_, nth) => {
    const decide = deciderOn(issued, issued.cardIds.slice(nth * 100, (nth + 1) * 100));
    let count = 0;
    for (; !stopped.signal.aborted; count += 1) await decide();
    return count;
  });
  return {
    async stop() {
      stopped.abort();
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
  };
}
