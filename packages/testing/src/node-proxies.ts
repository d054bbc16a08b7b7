import { connect } from "@purser/db";
import { sql } from "drizzle-orm";
import { type TcpProxy, startTcpProxy } from "./tcp-proxy.ts";
import { type ServerAddress, databaseAt } from "./test-servers.ts";

/** The nodes of a cluster as one database of a test reaches them, each through a proxy. */
export interface NodeProxies<Proxy = TcpProxy> {
  /** Returns the proxy to the node that holds an organization. */
  proxyOf(organizationId: string): Promise<Proxy>;
  readonly all: readonly Proxy[];
  close(): Promise<void>;
}

interface LocalProxy {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Leads all connections between the nodes of a database of a cluster, and to them, through proxies. Nothing changes for other
 * databases of the cluster.
 *
 * @example
 * let nodes: NodeProxies;
 * const purser = await createTestPurser({ beforeOpening: async (url) => void (nodes = await proxyNodes(url)) });
 * (await nodes.proxyOf(organizationId)).refuse(); // its node is down
 */
export const proxyNodes = (url: string): Promise<NodeProxies> =>
  proxyNodesBy(url, ({ host, port }) => startTcpProxy(`postgres://${host}:${port}`));

/** Like `proxyNodes`, with proxies of another kind. */
export async function proxyNodesBy<Proxy extends LocalProxy>(
  url: string,
  open: (node: ServerAddress) => Promise<Proxy>,
): Promise<NodeProxies<Proxy>> {
  const db = connect(url, { max: 1 });
  const nodes = await db.execute<{ id: number; host: string; port: number }>(
    sql`SELECT nodeid AS id, nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid <> 0`,
  );
  const proxies = new Map<number, Proxy>();
  for (const node of nodes) {
    const proxy = await open(node);
    proxies.set(proxy.port, proxy);
  }
  const ports = [...proxies.keys()];
  // Each server has a list of all. `citus_update_node` would have to wait until the nodes have read it again.
  for (const server of [url, ...nodes.map((node) => databaseAt(url, new URL(url).pathname.slice(1), node))]) {
    const own = connect(server, { max: 1 });
    for (const [nth, { id }] of nodes.entries())
      await own.execute(sql`UPDATE pg_dist_node SET nodeport = ${ports[nth]}::int WHERE nodeid = ${id}`);
    await own.close();
  }
  return {
    all: [...proxies.values()],
    async proxyOf(organizationId) {
      const [row] = await db.execute<{ port: number }>(sql`
        SELECT nodeport AS port FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
        WHERE shardid = get_shard_id_for_distribution_column('organizations', ${organizationId}::text)`);
      return proxies.get(row!.port)!;
    },
    async close() {
      await db.close();
      await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
    },
  };
}
