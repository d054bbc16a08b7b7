import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@purser/core";
import { sql } from "drizzle-orm";
import { poolOfTransaction } from "./connection/commits.ts";
import type { Database, Executor } from "./connection/database.ts";
import { NodeDownError, hasMoved, isAway, sqlState } from "./connection/failure.ts";
import { PoolTimeoutError } from "./connection/slots.ts";
import { endLeftCommits, hasLeftCommits } from "./distribute.ts";
import {
  type ClusterNode,
  type Placement,
  type PlacementOptions,
  type ShardPlacements,
  defaultRefreshMs,
  nodeName,
  usableRefreshes,
} from "./shard-placements.ts";
import { type Shard, inSameRequest, isOfShard, openShard, openShards } from "./shards.ts";

/** A node that is not the primary of its group, or that this process cannot reach, may be reached by the coordinator. */
type NodeState = "up" | "reached by the coordinator" | "down";

interface OpenedPool {
  db: Database;
  /** For probes alone. */
  probeDb: Database;
  /** The pool for the organizations of each shard, by its id. */
  ofShards: Map<string, Database>;
  /** Reads all of the node's own rows, by the placement that says which they are. */
  ownRows: WeakMap<Placement, Database>;
}

interface NodePool extends OpenedPool {
  /** The result of the last probe. */
  state: Promise<NodeState>;
  /** The last probe. */
  probe: Promise<NodeState>;
  isProbing: boolean;
  probedAt: number;
}

interface NodePoolsOptions extends PlacementOptions {
  placements: ShardPlacements;
  /** Opens a pool on a node. */
  open(node: ClusterNode): Database;
  /** Opens a connection for probes, which does not wait for a free one: a busy node is not down. By default the pool. */
  openProbe?(node: ClusterNode): Database;
  /** Further pools on the coordinator, for `findInAnyOrganization`. */
  sharedBy?: readonly Database[];
}

/** How long a node has to answer a probe, from this process and from the coordinator. */
const probeMs = 2000;
/** The pause between two probes of a node that is down. */
const downRefreshMs = 1000;

/**
 * Pools on the nodes of a Citus cluster, opened when they are first needed. Every node answers every statement; one that
 * names an organization costs least on the node that holds it.
 */
export class NodePools {
  readonly #options: NodePoolsOptions;
  readonly #pools = new Map<string, NodePool>();
  #isClosed = false;

  constructor(options: NodePoolsOptions) {
    this.#options = options;
    for (const db of [options.coordinator, ...(options.sharedBy ?? [])]) clusters.set(db, this);
  }

  /**
   * Returns the pool on the node that holds an organization, for this organization (`openShard`); that of the coordinator if the
   * node is unknown, is not the primary of its group or answers only the coordinator. Throws if the node is down: a statement
   * would wait for it, with a connection.
   */
  async poolOf(organizationId: string): Promise<Database> {
    const place = await this.#options.placements.placeOf(organizationId);
    this.#closeRemoved();
    if (place === null) return this.#options.coordinator;
    const pool = this.#poolOn(place.node);
    const state = await pool.state;
    if (state === "down") throw new NodeDownError();
    return state === "up" ? this.#poolOfShard(pool, place.shard) : this.#options.coordinator;
  }

  /** Returns a pool for the other reads of a request that has read from a pool (`inSameRequest` of shards). */
  readonly inSameRequest = inSameRequest;

  /**
   * Reads rows of all organizations. A look-up asks each node for all that it holds, which costs less than to let Citus ask each
   * shard. While a node is down, returns what each of the others holds, without a statement that would wait for that one. If
   * they hold nothing and `isLookUp`, throws: the node that is down may hold it.
   */
  async readAll<Row>(
    db: Executor,
    read: ReadOfAll<Row>,
    { isLookUp, page }: { isLookUp: boolean; page: PageOrder<Row> | undefined },
  ): Promise<Row[]> {
    const answer = ({ rows, isComplete }: OwnRows<Row>) => {
      if (isLookUp && !isComplete && rows.length === 0) throw new NodeDownError();
      return rows;
    };
    // A search may find as much work in each shard. A transaction sees rows that others do not see yet.
    const own = await this.#readOwn(read, { page, ofAll: isLookUp && isPool(db) });
    if (own !== null) return answer(own);
    try {
      return await read(this.#ofAll(db));
    } catch (error) {
      // The failure has ended a transaction, which keeps its connection and locks until this throws.
      if (!isPool(db) || !(isAway(error) || sqlState(error) === "57014")) throw error;
      const ofOthers = await this.#readOwn(read, { page, isDoubted: true });
      if (ofOthers === null) throw error;
      return answer(ofOthers);
    }
  }

  /** The pool of a shard has the rows of a few organizations only. */
  #ofAll(db: Executor): Executor {
    if (!isOfShard(isPool(db) ? db : poolOfTransaction(db))) return db;
    if (isPool(db)) return this.#options.coordinator;
    throw new Error("A transaction of a shard has no rows of other organizations");
  }

  /** Reads what each node holds that is up, where another one is down or, `ofAll`, where all are up. Otherwise null. */
  async #readOwn<Row>(
    read: ReadOfAll<Row>,
    { page, ofAll = false, isDoubted = false, isRepeated = false }: OwnOptions<Row>,
  ): Promise<OwnRows<Row> | null> {
    const { placements } = this.#options;
    // One placement for all nodes: a shard that moves is in one of them, and reports that it has moved.
    const placement = await placements.current();
    const nodes = placement.nodes.map(({ node, shards }) => ({
      pool: this.#poolOn(node, { isDoubted }),
      shards,
    }));
    const states = await Promise.all(nodes.map(({ pool }) => pool.state));
    const up = nodes.filter((_, nth) => states[nth] === "up");
    const isComplete = up.length === nodes.length && placement.isComplete;
    if (!states.includes("down") && !(ofAll && isComplete)) return null;
    try {
      const rows = await Promise.all(up.map(({ pool, shards }) => read(ownRowsOf(pool, placement, shards))));
      return { rows: inPage(rows.flat(), page), isComplete };
    } catch (error) {
      if (hasMoved(error)) placements.readAgain();
      if (hasMoved(error) && !isRepeated)
        return this.#readOwn(read, { page, ofAll, isDoubted, isRepeated: true });
      // Citus says why, or succeeds.
      if (isComplete) return null;
      throw error;
    }
  }

  #poolOfShard(pool: NodePool, shard: Shard): Database {
    const known = pool.ofShards.get(shard.id);
    if (known !== undefined) return known;
    const opened = openShard(pool.db, shard, () => this.#options.placements.readAgain());
    pool.ofShards.set(shard.id, opened);
    for (const one of [opened, inSameRequest(opened)]) clusters.set(one, this);
    return opened;
  }

  /** The pools that are open, by the address of their node. */
  get open(): { node: string; db: Database }[] {
    return [...this.#pools].map(([node, { db }]) => ({ node, db }));
  }

  async close(timeoutMs?: number): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#pools.values()].map((pool) => closePool(pool, timeoutMs)));
  }

  /** Returns the pool on a node, which is probed every refresh, or now if in doubt. */
  #poolOn(node: ClusterNode, { isDoubted = false } = {}): NodePool {
    const { refreshMs = defaultRefreshMs } = this.#options;
    const name = nodeName(node);
    const known = this.#pools.get(name);
    if (known === undefined) {
      const db = this.#options.open(node);
      const probeDb = this.#options.openProbe?.(node) ?? db;
      const opened = this.#startProbe(node, { db, probeDb, ofShards: new Map(), ownRows: new WeakMap() });
      this.#pools.set(name, opened);
      return opened;
    }
    const age = performance.now() - known.probedAt;
    if (!known.isProbing && (isDoubted || age >= refreshMs)) this.#startProbe(node, known);
    // Until a probe has an answer, the last one counts.
    if (isDoubted || age >= refreshMs * usableRefreshes) known.state = known.probe;
    return known;
  }

  /** Lists lack the organizations of a node that is down, so its return must not wait for a refresh or a caller. */
  async #awaitReturn(node: ClusterNode, pool: NodePool): Promise<void> {
    const { probe } = pool;
    await sleep(downRefreshMs, undefined, { ref: false });
    const isOpen = !this.#isClosed && this.#pools.get(nodeName(node)) === pool;
    // A newer probe is followed by its own.
    if (isOpen && pool.probe === probe) this.#startProbe(node, pool);
  }

  #startProbe(node: ClusterNode, pool: OpenedPool & Partial<NodePool>): NodePool {
    const probe = this.#probe(node, pool);
    const started: NodePool = Object.assign(pool, {
      state: pool.state ?? probe,
      probe,
      isProbing: true,
      probedAt: performance.now(),
    });
    void probe.then((state) => {
      Object.assign(started, { state: probe, isProbing: false });
      return state === "down" ? this.#awaitReturn(node, started) : undefined;
    });
    return started;
  }

  #closeRemoved(): void {
    for (const [name, pool] of this.#pools) {
      if (this.#options.placements.has(name)) continue;
      this.#pools.delete(name);
      void closePool(pool).catch(() => undefined);
    }
  }

  async #probe(node: ClusterNode, { probeDb, state }: OpenedPool & Partial<NodePool>): Promise<NodeState> {
    try {
      // On a standby as on a server that was the primary before a failover.
      const answer = probeDb.execute<{ isReadOnly: boolean; isLeft: boolean }>(sql`
        SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly", ${hasLeftCommits} AS "isLeft"`);
      const [row] = await Promise.race([answer, sleep(probeMs, [], { ref: false })]);
      if (row === undefined) throw new Error("It does not answer");
      if (row.isReadOnly) throw new Error("It is read-only, so it is not the primary");
      if (row.isLeft) void this.#endLeftCommits(nodeName(node));
      return "up";
    } catch (error) {
      const log = { node: nodeName(node), reason: errorText(error) };
      const isDown = await this.#isDownForCoordinator(node);
      if (isDown && (await state) === "down") return "down";
      this.#options.logger.warn(
        log,
        isDown
          ? "A node is down; its organizations are not served"
          : "A node does not serve as primary; its organizations are reached by the coordinator",
      );
      return isDown ? "down" : "reached by the coordinator";
    }
  }

  async #endLeftCommits(node: string): Promise<void> {
    const { coordinator, logger } = this.#options;
    await endLeftCommits(coordinator, probeMs).catch((error: unknown) =>
      logger.warn(
        { node, reason: errorText(error) },
        "A commit on a node is left to Citus, which ends it within a minute",
      ),
    );
  }

  async #isDownForCoordinator({ host, port }: ClusterNode): Promise<boolean> {
    const check = this.#options.coordinator.transaction(async (transaction) => {
      await transaction.execute(sql.raw(`SET LOCAL statement_timeout = ${probeMs}`));
      const [row] = await transaction.execute<{ isConnected: boolean }>(
        sql`SELECT citus_check_connection_to_node(${host}, ${port}) AS "isConnected"`,
      );
      return row!.isConnected;
    });
    try {
      // On a connection to a silent node that it has kept, the coordinator does not end a statement at its timeout.
      return !(await Promise.race([check, sleep(probeMs, false, { ref: false })]));
    } catch (error) {
      // Statements that wait for the node may take all connections. Of another error, the coordinator is the reason.
      return error instanceof PoolTimeoutError || sqlState(error) === "57014";
    }
  }
}

/** What the nodes that are up hold, and whether these are all nodes. */
interface OwnRows<Row> {
  rows: Row[];
  isComplete: boolean;
}

interface OwnOptions<Row> {
  page: PageOrder<Row> | undefined;
  ofAll?: boolean;
  isDoubted?: boolean;
  isRepeated?: boolean;
}

async function closePool({ db, probeDb }: OpenedPool, timeoutMs?: number): Promise<void> {
  await Promise.all([...new Set([db, probeDb])].map((one) => one.close(timeoutMs)));
}

function ownRowsOf({ db, ownRows }: NodePool, placement: Placement, shards: readonly Shard[]): Database {
  const opened = ownRows.get(placement) ?? openShards(db, shards);
  ownRows.set(placement, opened);
  return opened;
}

/** The nodes of the cluster that a pool is on. */
const clusters = new WeakMap<Database, NodePools>();

/** A SELECT that names no organization, on the pool or the transaction that it is given. */
type ReadOfAll<Row> = (db: Executor) => Promise<Row[]>;

/** How a SELECT orders and limits its rows, where callers rely on it: several nodes return as many pages. */
interface PageOrder<Row> {
  limit: number;
  by: (row: Row) => string;
  descending?: boolean;
}

function inPage<Row>(rows: Row[], page: PageOrder<Row> | undefined): Row[] {
  if (page === undefined) return rows;
  const { by, limit, descending = false } = page;
  const ascending = rows.toSorted((one, other) => (by(one) < by(other) ? -1 : 1));
  return (descending ? ascending.toReversed() : ascending).slice(0, limit);
}

/**
 * Looks for rows before their organization is known: the one with an id, or those of a user. On a cluster with a node that is
 * down, what the other nodes hold is enough; if that is nothing, this throws as the database does. In a transaction, other nodes
 * do not see what it has written.
 *
 * @example
 * const [row] = await findInAnyOrganization(db, (any) => any.select().from(invitations).where(eq(invitations.id, id)));
 */
export function findInAnyOrganization<Row>(
  db: Executor,
  read: ReadOfAll<Row>,
  page?: PageOrder<NoInfer<Row>>,
): Promise<Row[]> {
  return clusterOf(db)?.readAll(db, read, { isLookUp: true, page }) ?? read(db);
}

/**
 * Searches all organizations for work. On a cluster with a node that is down, returns the work of all others: with a limit in the
 * search, that many rows of each shard, in no order.
 */
export function searchAllOrganizations<Row>(
  db: Executor,
  read: ReadOfAll<Row>,
  page?: PageOrder<NoInfer<Row>>,
): Promise<Row[]> {
  return clusterOf(db)?.readAll(db, read, { isLookUp: false, page }) ?? read(db);
}

const isPool = (db: Executor): db is Database => "$client" in db;

const clusterOf = (db: Executor): NodePools | undefined =>
  clusters.get(isPool(db) ? db : poolOfTransaction(db));
