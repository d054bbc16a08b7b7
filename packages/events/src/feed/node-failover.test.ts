import { type Database, connect, webhookEndpoints } from "@purser/db";
import { createTestPurser, databaseAt, distributedDatabaseUrl } from "@purser/testing";
import { sql } from "drizzle-orm";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startReceiver } from "../testing/receiver.ts";
import { nameOfEvent } from "../testing/stream-reader.ts";
import { decodeCursor, encodeCursor } from "./position.ts";

/** How many transactions the failover loses. */
const lost = 5000;

/** As if a reader had seen them. */
function withLost(cursor: string): string {
  const known = decodeCursor(cursor)!;
  const transactionId = String(BigInt(known.position.transactionId) + BigInt(lost));
  return encodeCursor({ ...known, position: { ...known.position, transactionId } });
}

/** The new server goes on with a later timeline of the log. */
async function startNextTimeline(node: Database): Promise<void> {
  const [row] = await node.execute<{ source: string }>(
    sql`SELECT prosrc AS source FROM pg_proc WHERE proname = 'feed_lead'`,
  );
  const body = row!.source.replace("::integer END - 1)", "::integer END)");
  expect(body).not.toBe(row!.source);
  await node.transaction(async (transaction) => {
    await transaction.execute(sql`SET LOCAL citus.enable_ddl_propagation = off`);
    await transaction.execute(
      sql.raw(
        `CREATE OR REPLACE FUNCTION feed_lead() RETURNS bigint LANGUAGE sql STABLE AS $lead$${body}$lead$`,
      ),
    );
  });
}

/** An organization on a cluster, with a connection to the node that holds it. */
async function openOrganization() {
  const purser = await createTestPurser();
  const owner = await purser.person();
  const organizationId = await purser.organization(owner);
  const [place] = await purser.db.execute<{ host: string; port: number; shard: string }>(sql`
    SELECT nodename AS host, nodeport AS port, 'organizations_' || shardid AS shard
    FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
    WHERE shardid = get_shard_id_for_distribution_column('organizations', ${organizationId}::text)`);
  const url = purser.platform.settings.databaseUrl!;
  const node = connect(databaseAt(url, new URL(url).pathname.slice(1), place));
  onTestFinished(async () => {
    await node.close();
    await purser.close();
  });
  return { purser, api: purser.as(owner), organizationId, node, shard: place!.shard };
}

describe.skipIf(distributedDatabaseUrl === null)("the feed after a failover of a node", () => {
  it("hides no event from readers and webhooks that have seen transactions which are lost", async () => {
    const { purser, api, organizationId, node } = await openOrganization();
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const rename = (name: string) => api.organizations.update({ id: organizationId, name });
    const read = async (after?: string) => {
      const page = await api.events.feed({ organizationId, cursor: after });
      return { names: page.events.map(nameOfEvent), cursor: page.cursor };
    };
    const sent = async () => {
      await purser.webhooks.drain();
      return receiver.received.map(({ body }) => nameOfEvent(JSON.parse(body).data));
    };
    await api.webhookEndpoints.create({ organizationId, url: receiver.url });
    await rename("before");
    await vi.waitFor(async () => expect((await read()).names).toEqual(["before"]), 60_000);
    await vi.waitFor(async () => expect(await sent()).toEqual(["before"]), 60_000);
    const cursor = withLost((await read()).cursor);
    await purser.db.update(webhookEndpoints).set({
      transactionId: sql`(transaction_id::text::bigint + ${lost}::bigint)::text::xid8`,
    });

    await startNextTimeline(node);
    await rename("after");
    await vi.waitFor(async () => expect((await read(cursor)).names).toEqual(["after"]), 60_000);
    expect((await read()).names).toEqual(["before", "after"]);
    await vi.waitFor(async () => expect(await sent()).toEqual(["before", "after"]), 60_000);
  });

  it("waits for commits that were prepared before it", async () => {
    const { node, shard } = await openOrganization();
    const horizon = async () => {
      const [row] = await node.execute<{ id: string }>(sql`SELECT feed_horizon()::text AS id`);
      return Number(row!.id);
    };
    await startNextTimeline(node);
    const ahead = await horizon();
    await node.$client.begin("", async (transaction) => {
      await transaction.unsafe(`UPDATE ${shard} SET name = 'prepared'`);
      await transaction.unsafe(`PREPARE TRANSACTION 'before'`);
    });
    try {
      await expect.poll(horizon).toBeLessThan(ahead - 900_000);
    } finally {
      await node.$client.unsafe(`ROLLBACK PREPARED 'before'`);
    }
    expect(await horizon()).toBeGreaterThanOrEqual(ahead);
  });
});
