import { createTestDatabase, distributedDatabaseUrl, proxyNodes } from "@purser/testing";
import { sql } from "drizzle-orm";
import { expect, it, onTestFinished, vi } from "vitest";
import { connect } from "./connection/connect.ts";
import type { Database } from "./connection/database.ts";
import { NodePools, searchAllOrganizations } from "./nodes.ts";
import { organizations as organizationsTable } from "./schema/index.ts";
import { type ClusterNode, ShardPlacements } from "./shard-placements.ts";

const organizations = Array.from({ length: 12 }, (_, nth) => `org_${nth}`);

it.skipIf(distributedDatabaseUrl === null)(
  "the nodes of a cluster are asked again soon after their return",
  async () => {
    const opened: Database[] = [];
    const own = await createTestDatabase();
    const proxies = await proxyNodes(own.url);
    onTestFinished(async () => {
      await Promise.all(opened.map((one) => one.close()));
      await proxies.close();
      await own.drop();
    });
    const db = connect(own.url);
    opened.push(db);
    for (const id of organizations)
      await db.execute(sql`INSERT INTO organizations (id, name, created_at) VALUES (${id}, ${id}, now())`);
    const warn = vi.fn<(...log: unknown[]) => void>();
    const options = { coordinator: db, logger: { warn }, refreshMs: 60_000 };
    const open = ({ host, port }: ClusterNode) => {
      const address = new URL(own.url);
      [address.hostname, address.port] = [host, String(port)];
      const pool = connect(address.href);
      opened.push(pool);
      return pool;
    };
    proxies.all[1]!.refuse();
    void new NodePools({ ...options, placements: new ShardPlacements(options), open });
    const { id } = organizationsTable;
    const list = () => searchAllOrganizations(db, (all) => all.select({ id }).from(organizationsTable));
    expect((await list()).length).toBeLessThan(organizations.length);
    proxies.all[1]!.restore();
    await vi.waitFor(async () => expect(await list()).toHaveLength(organizations.length), {
      timeout: 20_000,
      interval: 200,
    });
    expect(warn).toHaveBeenCalledOnce();
  },
);
