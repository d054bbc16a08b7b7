import { type RandomSource, createRandom } from "@purser/core";
import { moveOrganization } from "@purser/db";
import { type NodeProxies, proxyNodesBy } from "@purser/testing";
import type { Tenant } from "./acknowledged-state.ts";
import type { ApiRequest } from "./api-request.ts";
import type { Cluster } from "./cluster.ts";
import { FaultyProxy } from "./faulty-proxy.ts";
import type { LocalPostgres } from "./local-postgres.ts";

/** A node of a Citus cluster. */
export interface FaultyNode {
  server: LocalPostgres;
  /** The proxy between it and all others: the processes, the coordinator and the other nodes. */
  proxy: FaultyProxy;
}

type PlacedTenant = Pick<Tenant, "name" | "organizationId">;

/** The nodes of a Citus cluster as one database and its processes reach them, and where the organizations of tenants are. */
export class ClusterNodes {
  readonly all: readonly FaultyNode[];
  readonly #proxies: NodeProxies<FaultyProxy>;
  readonly #url: string;
  readonly #tenants = new Map<PlacedTenant, FaultyNode>();
  #outage: { node: FaultyNode; knownAt: number } | null = null;

  private constructor(url: string, proxies: NodeProxies<FaultyProxy>, all: FaultyNode[]) {
    this.#url = url;
    this.#proxies = proxies;
    this.all = all;
  }

  /** Leads everything that reaches the nodes of this database through proxies. Null on one PostgreSQL. */
  static async open(cluster: Cluster, database: string, seed: number): Promise<ClusterNodes | null> {
    if (cluster.nodes.length === 0) return null;
    const all: FaultyNode[] = [];
    // The connections of the harness are no part of the service.
    const url = `${cluster.url(database)}?application_name=faults`;
    const proxies = await proxyNodesBy(url, async ({ port }) => {
      const server = cluster.nodes.find(({ address }) => address.port === port)!;
      const proxy = await FaultyProxy.open(() => port, createRandom("node", seed, String(all.length)));
      all.push({ server, proxy });
      return proxy;
    });
    return new ClusterNodes(url, proxies, all);
  }

  async nodeOf(organizationId: string): Promise<FaultyNode> {
    const found = await this.#proxies.proxyOf(organizationId);
    return this.all.find(({ proxy }) => proxy === found)!;
  }

  /** From now on, where this tenant's organization is decides what must be served while a node is down. */
  async place(tenant: PlacedTenant): Promise<void> {
    this.#tenants.set(tenant, await this.nodeOf(tenant.organizationId));
  }

  /** Moves the shards of one tenant's organization to another node, with all others in them. */
  async moveOne(random: RandomSource): Promise<void> {
    const tenant = random.pick([...this.#tenants.keys()]);
    const from = await this.nodeOf(tenant.organizationId);
    const to = this.all.find((node) => node !== from)!;
    await moveOrganization(
      { databaseUrl: this.#url, directDatabaseUrl: null },
      { organizationId: tenant.organizationId, to: `127.0.0.1:${to.proxy.port}`, blocksWrites: true },
    );
    for (const placed of this.#tenants.keys()) await this.place(placed);
  }

  /** A node is down. The processes know that after this time, and serve the organizations of all others from then on. */
  begin(node: FaultyNode, unknownMs: number): void {
    this.#outage = { node, knownAt: performance.now() + unknownMs };
  }

  end(): void {
    this.#outage = null;
  }

  /** Whether a request that was sent at this time must be served although a node is down: it names an organization of another. */
  mustServe({ path, body, signedFor }: ApiRequest, sentAt: number): boolean {
    const outage = this.#outage;
    if (outage === null || sentAt < outage.knownAt) return false;
    const text = `${path} ${JSON.stringify(body)}`;
    return [...this.#tenants].some(
      ([{ name, organizationId }, node]) =>
        node !== outage.node &&
        (text.includes(organizationId) || (signedFor === "cards" && text.includes(`"${name}-`))),
    );
  }

  async close(): Promise<void> {
    await this.#proxies.close();
  }
}
