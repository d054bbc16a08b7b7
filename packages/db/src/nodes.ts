import { type Logger, errorText } from "@purser/core";
import { sql } from "drizzle-orm";
import type { Database } from "./connection/database.ts";

/** A server of a Citus cluster, by the address under which Citus knows it. */
export interface ClusterNode {
  readonly host: string;
  readonly port: number;
}

const defaultRefreshMs = 10_000;
/** What was learned so many refreshes ago is not used any more: it is read again first. */
const usableRefreshes = 3;
const maxKnownOrganizations = 100_000;

interface PlacementOptions {
  /** A pool on the coordinator. */
  coordinator: Database;
  logger: Pick<Logger, "warn">;
  /**
   * How often shards and nodes are looked at again: 10 seconds by default. Meanwhile the old ones count, for up to three times
   * as long.
   */
  refreshMs?: number;
}

/** Knows which node of a Citus cluster holds an organization. Asks the coordinator once for each organization. */
export class ShardPlacements {
  readonly #options: PlacementOptions;
  readonly #shards = new Map<string, Promise<string>>();
  #nodes: ReadonlyMap<string, ClusterNode> | undefined;
  #names: ReadonlySet<string> = new Set();
  #reading: Promise<ReadonlyMap<string, ClusterNode>> | undefined;
  #readAt = -Infinity;
  #triedAt = -Infinity;

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
      // The coordinator does not answer. The next read throws the reason.
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

  /** Whether shards are known to be on the node of this name. */
  has(name: string): boolean {
    return this.#nodes === undefined || this.#names.has(name);
  }

  /** The nodes by their shards. While they are read again, the old ones count, unless they have not been used for long. */
  async #currentNodes(): Promise<ReadonlyMap<string, ClusterNode>> {
    const { refreshMs = defaultRefreshMs, logger } = this.#options;
    const known = this.#nodes;
    const age = performance.now() - this.#readAt;
    if (known !== undefined && age < refreshMs) return known;
    const isUsable = known !== undefined && age < refreshMs * usableRefreshes;
    if (isUsable && performance.now() - this.#triedAt < refreshMs) return known;
    const read = (this.#reading ??= this.#readNodes().finally(() => (this.#reading = undefined)));
    if (!isUsable) return read;
    read.catch((error: unknown) =>
      logger.warn({ reason: errorText(error) }, "The placement of shards could not be read again"),
    );
    return known;
  }

  /** A node that lacks the metadata of Citus answers only for its own shards. */
  async #readNodes(): Promise<ReadonlyMap<string, ClusterNode>> {
    const startedAt = performance.now();
    this.#triedAt = startedAt;
    const rows = await this.#options.coordinator.execute<{ shard: string; host: string; port: number }>(sql`
      SELECT shardid::text AS shard, nodename AS host, nodeport AS port
      FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
      WHERE logicalrelid = 'organizations'::regclass AND noderole = 'primary' AND isactive AND groupid <> 0
        AND hasmetadata AND metadatasynced`);
    const nodes = new Map(rows.map(({ shard, host, port }) => [shard, { host, port }]));
    this.#names = new Set(rows.map(nodeName));
    this.#nodes = nodes;
    this.#readAt = startedAt;
    return nodes;
  }
}

const nodeName = ({ host, port }: ClusterNode) => `${host}:${port}`;

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
   * Returns the pool on the node that holds an organization; that of the coordinator if the node is unknown, does not answer
   * or is not the primary of its group, because the coordinator may know another way to it.
   */
  async poolOf(organizationId: string): Promise<Database> {
    const node = await this.#options.placements.nodeOf(organizationId);
    this.#closeRemoved();
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
    const name = nodeName(node);
    const known = this.#pools.get(name);
    if (known === undefined) {
      const db = this.#options.open(node);
      const opened = { db, isReachable: this.#probe(name, db), probedAt: performance.now() };
      this.#pools.set(name, opened);
      return opened;
    }
    const age = performance.now() - known.probedAt;
    if (age >= refreshMs) {
      known.probedAt = performance.now();
      const probe = this.#probe(name, known.db);
      // Until it has an answer, the last one counts.
      if (age < refreshMs * usableRefreshes) void probe.then(() => (known.isReachable = probe));
      else known.isReachable = probe;
    }
    return known;
  }

  #closeRemoved(): void {
    for (const [name, { db }] of this.#pools) {
      if (this.#options.placements.has(name)) continue;
      this.#pools.delete(name);
      void db.close().catch(() => undefined);
    }
  }

  async #probe(node: string, db: Database): Promise<boolean> {
    try {
      // On a standby as on a server that was the primary before a failover.
      const [row] = await db.execute<{ isReadOnly: boolean }>(
        sql`SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
      );
      if (row!.isReadOnly) throw new Error("It is read-only, so it is not the primary");
      return true;
    } catch (error) {
      const log = { node, reason: errorText(error) };
      this.#options.logger.warn(
        log,
        "A node does not serve as primary; its organizations are reached by the coordinator",
      );
      return false;
    }
  }
}
