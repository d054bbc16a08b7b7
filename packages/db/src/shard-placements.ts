import { type Logger, errorText } from "@purser/core";
import { sql } from "drizzle-orm";
import type { Database } from "./connection/database.ts";

/** A server of a Citus cluster, by the address under which Citus knows it. */
export interface ClusterNode {
  readonly host: string;
  readonly port: number;
}

export const defaultRefreshMs = 10_000;
/** What was learned so many refreshes ago is not used any more: it is read again first. */
export const usableRefreshes = 3;
const maxKnownOrganizations = 100_000;

export interface PlacementOptions {
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
  #byName: ReadonlyMap<string, ClusterNode> = new Map();
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
    return this.#nodes === undefined || this.#byName.has(name);
  }

  /** Returns the nodes that hold organizations. */
  async list(): Promise<ClusterNode[]> {
    await this.#currentNodes();
    return [...this.#byName.values()];
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
    this.#byName = new Map([...nodes.values()].map((node) => [nodeName(node), node]));
    this.#nodes = nodes;
    this.#readAt = startedAt;
    return nodes;
  }
}

export const nodeName = ({ host, port }: ClusterNode) => `${host}:${port}`;
