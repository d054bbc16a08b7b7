import { type Logger, errorText } from "@purser/core";
import { sql } from "drizzle-orm";
import type { Database } from "./connection/database.ts";
import { type Shard, readShards } from "./shards.ts";

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

/** Which nodes hold which shards, as the coordinator said at one time. */
export interface Placement {
  readonly byShard: ReadonlyMap<string, Place>;
  readonly nodes: readonly { node: ClusterNode; shards: readonly Shard[] }[];
  /** Whether they hold all organizations: not those of a node that lacks Citus's metadata, or of the coordinator. */
  readonly isComplete: boolean;
}

interface Place {
  readonly node: ClusterNode;
  readonly shard: Shard;
}

/** Knows which node of a Citus cluster holds an organization. Asks the coordinator once for each organization. */
export class ShardPlacements {
  readonly #options: PlacementOptions;
  readonly #shardIds = new Map<string, Promise<string>>();
  #shards: ReadonlyMap<string, Shard> = new Map();
  #placement: Placement | undefined;
  /** What the placement was made of. The same one is used while nothing changes. */
  #rows = "";
  #reading: Promise<Placement> | undefined;
  #readAt = -Infinity;
  #triedAt = -Infinity;

  constructor(options: PlacementOptions) {
    this.#options = options;
  }

  /** Returns the node that holds an organization, and the shard. Null if that is the coordinator, or is unknown. */
  async placeOf(organizationId: string): Promise<Place | null> {
    try {
      const id = this.#shardIds.get(organizationId) ?? this.#findShardId(organizationId);
      const [{ byShard }, found] = await Promise.all([this.current(), id]);
      const place = byShard.get(found);
      // It has been split.
      if (place === undefined) this.#shardIds.delete(organizationId);
      return place ?? null;
    } catch {
      // The coordinator does not answer. The next read throws the reason.
      this.#shardIds.delete(organizationId);
      return null;
    }
  }

  /** Returns the node that holds an organization, as `placeOf` does. */
  async nodeOf(organizationId: string): Promise<ClusterNode | null> {
    return (await this.placeOf(organizationId))?.node ?? null;
  }

  #findShardId(organizationId: string): Promise<string> {
    const found = this.#options.coordinator
      .execute<{ shard: string }>(
        sql`SELECT get_shard_id_for_distribution_column('organizations', ${organizationId}::text)::text AS shard`,
      )
      .then(([row]) => row!.shard);
    if (this.#shardIds.size === maxKnownOrganizations) this.#shardIds.clear();
    this.#shardIds.set(organizationId, found);
    return found;
  }

  /** Whether shards are known to be on the node of this name. */
  has(name: string): boolean {
    return this.#placement?.nodes.some(({ node }) => nodeName(node) === name) ?? true;
  }

  /** Has the placement read before it is used again: a shard has moved, perhaps since a read that has begun. */
  readAgain(): void {
    this.#reading = undefined;
    this.#readAt = -Infinity;
    this.#triedAt = -Infinity;
  }

  /** The present placement. While it is read again, the old one counts, unless it has not been used for long. */
  async current(): Promise<Placement> {
    const { refreshMs = defaultRefreshMs, logger } = this.#options;
    const known = this.#placement;
    const age = performance.now() - this.#readAt;
    if (known !== undefined && age < refreshMs) return known;
    const isUsable = known !== undefined && age < refreshMs * usableRefreshes;
    if (isUsable && performance.now() - this.#triedAt < refreshMs) return known;
    const read = (this.#reading ??= this.#startReading());
    if (!isUsable) return read;
    read.catch((error: unknown) =>
      logger.warn({ reason: errorText(error) }, "The placement of shards could not be read again"),
    );
    return known;
  }

  #startReading(): Promise<Placement> {
    const startedAt = performance.now();
    this.#triedAt = startedAt;
    const reading: Promise<Placement> = this.#read().then(
      ([placement, rows]) => {
        if (this.#reading !== reading) return placement;
        this.#reading = undefined;
        this.#readAt = startedAt;
        if (this.#rows !== rows) [this.#placement, this.#rows] = [placement, rows];
        return this.#placement!;
      },
      (error: unknown) => {
        if (this.#reading === reading) this.#reading = undefined;
        throw error;
      },
    );
    return reading;
  }

  /** A node that lacks the metadata of Citus answers only for its own shards. */
  async #read(): Promise<[Placement, rows: string]> {
    const { coordinator } = this.#options;
    const rows = await coordinator.execute<{ id: string; host: string; port: number }>(sql`
      SELECT shardid::text AS id, nodename AS host, nodeport AS port
      FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
      WHERE logicalrelid = 'organizations'::regclass AND noderole = 'primary' AND isactive AND groupid <> 0
        AND hasmetadata AND metadatasynced ORDER BY shardid`);
    // What is known of a shard does not change. One that is split becomes others.
    if (rows.length !== this.#shards.size || rows.some(({ id }) => !this.#shards.has(id)))
      this.#shards = await readShards(coordinator);
    const shards = this.#shards;
    const places = rows.flatMap(({ id, host, port }): Place[] => {
      const shard = shards.get(id);
      return shard === undefined ? [] : [{ node: { host, port }, shard }];
    });
    const nodes = [...Map.groupBy(places, ({ node }) => nodeName(node)).values()].map((held) => ({
      node: held[0]!.node,
      shards: held.map(({ shard }) => shard),
    }));
    const byShard = new Map(places.map((place) => [place.shard.id, place]));
    return [{ byShard, nodes, isComplete: byShard.size === shards.size }, JSON.stringify(rows)];
  }
}

export const nodeName = ({ host, port }: ClusterNode) => `${host}:${port}`;
