import { type Logger, errorText } from "@purser/core";
import { sql } from "drizzle-orm";
import type { Database } from "./connection/database.ts";

/** A server of a Citus cluster, by the address under which Citus knows it. */
export interface ClusterNode {
  readonly host: string;
  readonly port: number;
}

const defaultRefreshMs = 10_000;
const maxKnownOrganizations = 100_000;

interface PlacementOptions {
  /** A pool on the coordinator. */
  coordinator: Database;
  logger: Pick<Logger, "warn">;
  /** How old the knowledge of shards and nodes may be: 10 seconds by default. What is out of date costs time, and nothing else. */
  refreshMs?: number;
}

/** Knows which node of a Citus cluster holds an organization. Asks the coordinator once for each organization. */
export class ShardPlacements {
  readonly #options: PlacementOptions;
  readonly #shards = new Map<string, Promise<string>>();
  #nodes: Promise<Map<string, ClusterNode>> | undefined;
  #readAt = 0;

  constructor(options: PlacementOptions) {
    this.#options = options;
  }

  /** Returns the node that holds an organization. Null if that is the coordinator, or is unknown. */
  async nodeOf(organizationId: string): Promise<ClusterNode | null> {
    try {
      const shard = this.#shards.get(organizationId) ?? this.#findShard(organizationId);
      const [nodes, found] = await Promise.all([this.#currentNodes(), shard]);
      const node = nodes.get(found);
      // It has been split.
      if (node === undefined) this.#shards.delete(organizationId);
      return node ?? null;
    } catch {
      // The coordinator does not answer. Whoever asks it for more learns why.
      this.#shards.delete(organizationId);
      return null;
    }
  }

  #findShard(organizationId: string): Promise<string> {
    const found = this.#options.coordinator
      .execute<{ shard: string }>(
        sql`SELECT get_shard_id_for_distribution_column('organizations', ${organizationId}::text)::text AS shard`,
      )
      .then(([row]) => row!.shard);
    if (this.#shards.size === maxKnownOrganizations) this.#shards.clear();
    this.#shards.set(organizationId, found);
    return found;
  }

  /** The nodes by their shards. While they are read again, the old ones count. */
  #currentNodes(): Promise<Map<string, ClusterNode>> {
    const { refreshMs = defaultRefreshMs, logger } = this.#options;
    const now = performance.now();
    const known = this.#nodes;
    if (known !== undefined && now - this.#readAt < refreshMs) return known;
    this.#readAt = now;
    const read = this.#readNodes();
    if (known === undefined) {
      this.#nodes = read;
      read.catch(() => (this.#nodes = undefined));
      return read;
    }
    read.then(
      () => (this.#nodes = read),
      (error) => logger.warn({ reason: errorText(error) }, "The placement of shards could not be read again"),
    );
    return known;
  }

  async #readNodes(): Promise<Map<string, ClusterNode>> {
    const rows = await this.#options.coordinator.execute<{ shard: string; host: string; port: number }>(sql`
      SELECT shardid::text AS shard, nodename AS host, nodeport AS port
      FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
      WHERE logicalrelid = 'organizations'::regclass AND noderole = 'primary' AND isactive AND groupid <> 0`);
    return new Map(rows.map(({ shard, host, port }) => [shard, { host, port }]));
  }
}

interface NodePool {
  db: Database;
  /** The result of the last probe. */
  isReachable: Promise<boolean>;
  probedAt: number;
}

interface NodePoolsOptions extends PlacementOptions {
  placements: ShardPlacements;
  /** Opens a pool on a node. */
  open(node: ClusterNode): Database;
}

/**
 * Pools on the nodes of a Citus cluster, opened when they are first needed. Every node answers every statement; one that
 * names an organization costs least on the node that holds it.
 */
export class NodePools {
  readonly #options: NodePoolsOptions;
  readonly #pools = new Map<string, NodePool>();

  constructor(options: NodePoolsOptions) {
    this.#options = options;
  }

  /**
   * Returns the pool on the node that holds an organization; that of the coordinator if the node is unknown or does not
   * answer, because the coordinator may know another way to it.
   */
  async poolOf(organizationId: string): Promise<Database> {
    const node = await this.#options.placements.nodeOf(organizationId);
    if (node === null) return this.#options.coordinator;
    const { db, isReachable } = this.#poolOn(node);
    return (await isReachable) ? db : this.#options.coordinator;
  }

  /** The pools that are open, by the address of their node. */
  get open(): { node: string; db: Database }[] {
    return [...this.#pools].map(([node, { db }]) => ({ node, db }));
  }

  async close(timeoutMs?: number): Promise<void> {
    await Promise.all(this.open.map(({ db }) => db.close(timeoutMs)));
  }

  #poolOn(node: ClusterNode): NodePool {
    const { refreshMs = defaultRefreshMs } = this.#options;
    const name = `${node.host}:${node.port}`;
    const known = this.#pools.get(name);
    if (known === undefined) {
      const db = this.#options.open(node);
      const opened = { db, isReachable: this.#probe(name, db), probedAt: performance.now() };
      this.#pools.set(name, opened);
      return opened;
    }
    if (performance.now() - known.probedAt >= refreshMs) {
      known.probedAt = performance.now();
      // Until it has an answer, the last one counts.
      const probe = this.#probe(name, known.db);
      void probe.then(() => (known.isReachable = probe));
    }
    return known;
  }

  async #probe(node: string, db: Database): Promise<boolean> {
    try {
      await db.execute(sql`SELECT 1`);
      return true;
    } catch (error) {
      const log = { node, reason: errorText(error) };
      this.#options.logger.warn(
        log,
        "A node does not answer; its organizations are reached by the coordinator",
      );
      return false;
    }
  }
}
