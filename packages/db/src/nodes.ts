import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@purser/core";
import { sql } from "drizzle-orm";
import { poolOfTransaction } from "./connection/commits.ts";
import type { Database, Executor } from "./connection/database.ts";
import { NodeDownError, isAway, sqlState } from "./connection/failure.ts";
import { PoolTimeoutError } from "./connection/slots.ts";
import { openOwnRows } from "./own-rows.ts";
import {
  type ClusterNode,
  type PlacementOptions,
  type ShardPlacements,
  defaultRefreshMs,
  nodeName,
  usableRefreshes,
} from "./shard-placements.ts";

/** A node that is not the primary of its group, or that this process cannot reach, may be reached by the coordinator. */
type NodeState = "up" | "reached by the coordinator" | "down";

interface NodePool {
  db: Database;
  /** The result of the last probe. */
  state: Promise<NodeState>;
  /** The last probe. */
  probe: Promise<NodeState>;
  isProbing: boolean;
  probedAt: number;
  /** Reads the node's own rows, as its shards were at the last probe. */
  ownRows: Promise<Database> | undefined;
}

interface NodePoolsOptions extends PlacementOptions {
  placements: ShardPlacements;
  /** Opens a pool on a node. */
  open(node: ClusterNode): Database;
  /** Further pools on the coordinator, for `findInAnyOrganization`. */
  sharedBy?: readonly Database[];
}

/** How long a node has to answer a probe, from this process and from the coordinator. */
const probeMs = 2000;

/**
 * Pools on the nodes of a Citus cluster, opened when they are first needed. Every node answers every statement; one that
 * names an organization costs least on the node that holds it.
 */
export class NodePools {
  readonly #options: NodePoolsOptions;
  readonly #pools = new Map<string, NodePool>();

  constructor(options: NodePoolsOptions) {
    this.#options = options;
    for (const db of [options.coordinator, ...(options.sharedBy ?? [])]) clusters.set(db, this);
  }

  /**
   * Returns the pool on the node that holds an organization; that of the coordinator if the node is unknown, is not the primary
   * of its group or answers only the coordinator. Throws if the node is down: a statement would wait for it, with a connection.
   */
  async poolOf(organizationId: string): Promise<Database> {
    const node = await this.#options.placements.nodeOf(organizationId);
    this.#closeRemoved();
    if (node === null) return this.#options.coordinator;
    const pool = this.#poolOn(node);
    const state = await pool.state;
    if (state === "down") throw new NodeDownError();
    return state === "up" ? pool.db : this.#options.coordinator;
  }

  /**
   * Reads rows of all organizations. While a node is down, returns what each of the others holds, without a statement that
   * would wait for that one. If they hold nothing and `isLookUp`, throws: the node that is down may hold it.
   */
  async readAll<Row>(
    db: Executor,
    read: ReadOfAll<Row>,
    { isLookUp, page }: { isLookUp: boolean; page: PageOrder<Row> | undefined },
  ): Promise<Row[]> {
    const answer = (rows: Row[]) => {
      if (isLookUp && rows.length === 0) throw new NodeDownError();
      return rows;
    };
    const ofOthers = await this.#readOthers(read, { page });
    if (ofOthers !== null) return answer(ofOthers);
    try {
      return await read(db);
    } catch (error) {
      // The failure has ended a transaction, which keeps its connection and locks until this throws.
      if (!isPool(db) || !(isAway(error) || sqlState(error) === "57014")) throw error;
      const rows = await this.#readOthers(read, { page, isDoubted: true });
      if (rows === null) throw error;
      return answer(rows);
    }
  }

  /** Reads what each node holds that is up. Null unless another one is down. */
  async #readOthers<Row>(
    read: ReadOfAll<Row>,
    { page, isDoubted = false }: { page: PageOrder<Row> | undefined; isDoubted?: boolean },
  ): Promise<Row[] | null> {
    const nodes = await this.#options.placements.list();
    const pools = nodes.map((node) => this.#poolOn(node, { isDoubted }));
    const states = await Promise.all(pools.map(({ state }) => state));
    const up = pools.filter((_, nth) => states[nth] === "up");
    if (!states.includes("down")) return null;
    const readOwn = async () =>
      Promise.all(up.map(async (pool) => read(await (pool.ownRows ??= openOwnRows(pool.db)))));
    try {
      return inPage((await readOwn()).flat(), page);
    } catch (error) {
      for (const pool of up) pool.ownRows = undefined;
      // Undefined table: a shard has moved away, perhaps to another of these nodes.
      if (sqlState(error) !== "42P01") throw error;
      return inPage((await readOwn()).flat(), page);
    }
  }

  /** The pools that are open, by the address of their node. */
  get open(): { node: string; db: Database }[] {
    return [...this.#pools].map(([node, { db }]) => ({ node, db }));
  }

  async close(timeoutMs?: number): Promise<void> {
    await Promise.all(this.open.map(({ db }) => db.close(timeoutMs)));
  }

  /** Returns the pool on a node, which is probed every refresh, or now if in doubt. */
  #poolOn(node: ClusterNode, { isDoubted = false } = {}): NodePool {
    const { refreshMs = defaultRefreshMs } = this.#options;
    const name = nodeName(node);
    const known = this.#pools.get(name);
    if (known === undefined) {
      const opened = this.#startProbe(node, { db: this.#options.open(node) });
      this.#pools.set(name, opened);
      return opened;
    }
    const age = performance.now() - known.probedAt;
    if (!known.isProbing && (isDoubted || age >= refreshMs)) this.#startProbe(node, known);
    // Until a probe has an answer, the last one counts.
    if (isDoubted || age >= refreshMs * usableRefreshes) known.state = known.probe;
    return known;
  }

  #startProbe(node: ClusterNode, pool: Pick<NodePool, "db"> & Partial<NodePool>): NodePool {
    const probe = this.#probe(node, pool.db);
    const started: NodePool = Object.assign(pool, {
      state: pool.state ?? probe,
      probe,
      isProbing: true,
      probedAt: performance.now(),
      ownRows: undefined,
    });
    void probe.then(() => Object.assign(started, { state: probe, isProbing: false }));
    return started;
  }

  #closeRemoved(): void {
    for (const [name, { db }] of this.#pools) {
      if (this.#options.placements.has(name)) continue;
      this.#pools.delete(name);
      void db.close().catch(() => undefined);
    }
  }

  async #probe(node: ClusterNode, db: Database): Promise<NodeState> {
    try {
      // On a standby as on a server that was the primary before a failover.
      const answer = db.execute<{ isReadOnly: boolean }>(
        sql`SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
      );
      const [row] = await Promise.race([answer, sleep(probeMs, [], { ref: false })]);
      if (row === undefined) throw new Error("It does not answer");
      if (row.isReadOnly) throw new Error("It is read-only, so it is not the primary");
      return "up";
    } catch (error) {
      const log = { node: nodeName(node), reason: errorText(error) };
      const isDown = await this.#isDownForCoordinator(node);
      this.#options.logger.warn(
        log,
        isDown
          ? "A node is down; its organizations are not served"
          : "A node does not serve as primary; its organizations are reached by the coordinator",
      );
      return isDown ? "down" : "reached by the coordinator";
    }
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
 * search, that many rows of each node.
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
