import { setTimeout as sleep } from "node:timers/promises";
import { connect, moveOrganization } from "@purser/db";
import { createTestPurser, distributedDatabaseUrl } from "@purser/testing";
import { sql } from "drizzle-orm";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startReceiver } from "../testing/receiver.ts";
import { nameOfEvent } from "../testing/stream-reader.ts";

describe.skipIf(distributedDatabaseUrl === null)("the feed of an organization that moves", () => {
  it("keeps its order for readers and webhooks, there and back, while changes go on", async () => {
    const purser = await createTestPurser();
    const receiver = await startReceiver();
    onTestFinished(async () => {
      await receiver.close();
      await purser.close();
    });
    const owner = await purser.person();
    const organizationId = await purser.organization(owner);
    const nodeNow = async () => {
      const [row] = await purser.db.execute<{ node: string }>(sql`
        SELECT nodename || ':' || nodeport AS node FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
        WHERE shardid = get_shard_id_for_distribution_column('organizations', ${organizationId}::text)`);
      return row!.node;
    };
    const home = await nodeNow();
    // Where the organization is, there were more transactions than elsewhere.
    const address = new URL(purser.platform.settings.databaseUrl!);
    address.port = home.split(":")[1]!;
    const homeNode = connect(address.href);
    for (let nth = 0; nth < 2000; nth += 1) await homeNode.execute(sql`SELECT pg_current_xact_id()`);
    await homeNode.close();
    await purser.as(owner).webhookEndpoints.create({ organizationId, url: receiver.url });
    const names: string[] = [];
    const rename = async () => {
      const name = `Name ${names.length}`;
      await vi.waitFor(() => purser.as(owner).organizations.update({ id: organizationId, name }), 10_000);
      names.push(name);
    };
    const changing = { goesOn: true };
    const changes = (async () => {
      for (; changing.goesOn; await sleep(20)) await rename();
    })();
    const read: string[] = [];
    let cursor: string | undefined;
    const readNew = async () => {
      const page = await purser.as(owner).events.feed({ organizationId, cursor, limit: 200 });
      read.push(...page.events.map(nameOfEvent));
      cursor = page.cursor;
    };
    for (const back of [false, true]) {
      await vi.waitFor(readNew, 10_000);
      const moved = await moveOrganization(purser.platform.settings, { organizationId });
      expect(moved.from === home).toBe(!back);
      expect(await nodeNow()).toBe(moved.to);
    }
    changing.goesOn = false;
    await changes;
    await rename();
    await vi.waitFor(async () => {
      await readNew();
      expect(read.at(-1)).toBe(names.at(-1));
    }, 60_000);
    expect(read).toEqual(names);
    await vi.waitFor(async () => {
      await purser.webhooks.drain();
      expect(receiver.received).toHaveLength(names.length);
    }, 60_000);
    // Several are sent at the same time.
    const sent = receiver.received.map(({ body }) => nameOfEvent(JSON.parse(body).data));
    expect(new Set(sent)).toEqual(new Set(names));
  });
});
