import type { BankProvider } from "@purser/banking/ports";
import { newId } from "@purser/core";
import { hour } from "@purser/core/testing";
import { bankConsents, bankLinks, isUnavailable, memberships } from "@purser/db";
import { resolveOrganizationKey } from "@purser/organizations/keys";
import { deliverSandboxEvent } from "@purser/platform/inbox";
import { appRouter, proceduresOf } from "@purser/router";
import {
  type NodeProxies,
  type Person,
  type Scene,
  type TestPurser,
  areaOfProcedure,
  callProcedure,
  createScene,
  createSceneOfArea,
  createTestPurser,
  distributedDatabaseUrl,
  endStream,
  exampleInputs,
  organizationKeySecret,
  outcomeOf,
  proxyNodes,
  refusalOf,
} from "@purser/testing";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** The procedures that may need the node, by reason. */
const needsAllNodes: Record<string, string> = {
  "organizations.create": "the new organization may belong on the node that is down",
  "billing.sync": "a new id must not be that of another organization",
};

describe.skipIf(distributedDatabaseUrl === null)("while a node of a cluster is down", () => {
  let purser: TestPurser;
  let nodes: NodeProxies;
  const procedures = [...proceduresOf(appRouter).values()].filter(({ name }) => !(name in needsAllNodes));
  /** Scenes on the node that stays up. Mutations have their own; queries of an area share one. */
  const scenes = new Map<string, Scene>();
  /** Members of an organization on either node, and of one only on the node that is down. */
  let ofBoth: Person;
  let ofDown: Person;
  let up: string;
  let down: string;
  let bankOperations: Partial<BankProvider> = {};

  /** Creates until the organization is on the node. */
  async function createOn<Created>(
    nth: 0 | 1,
    create: () => Promise<Created>,
    idOf: (created: Created) => string,
  ): Promise<Created> {
    const created = await create();
    const isThere = (await nodes.proxyOf(idOf(created))) === nodes.all[nth];
    return isThere ? created : createOn(nth, create, idOf);
  }
  const sceneOnFirst = (create: () => Promise<Scene>) =>
    createOn(0, create, ({ organizationId }) => organizationId);
  async function organizationOn(nth: 0 | 1, ...members: Person[]): Promise<string> {
    const owner = await purser.person();
    const organizationId = await createOn(
      nth,
      () => purser.organization(owner),
      (id) => id,
    );
    const createdAt = purser.clock.now();
    const membership = { organizationId, role: "MEMBER", isCreator: false, createdAt } as const;
    await purser.db
      .insert(memberships)
      .values(members.map(({ userId }) => ({ ...membership, id: newId("mem", createdAt), userId })));
    return organizationId;
  }

  /** Calls a procedure as one person of its scene after the other, until one may. */
  async function isServed(name: string): Promise<boolean> {
    const scene = scenes.get(name)!;
    const { owner, administrator, member } = scene.people;
    for (const person of [owner, administrator, member, scene.invitedPerson]) {
      const call = callProcedure(purser.as(person), name, exampleInputs[name]!(scene));
      if ((await outcomeOf(call.then(endStream))) === "ok") return true;
    }
    return false;
  }

  async function runScheduled(): Promise<Record<string, unknown>> {
    const failed: Record<string, unknown> = {};
    for (const { name } of await purser.db.execute<{ name: string }>(sql`SELECT name FROM pgboss.schedule`)) {
      const { handle } = purser.handlers.find(({ definition }) => definition.name === name)!;
      const run = handle(null as never, { id: crypto.randomUUID(), attempt: 1, last: true });
      await run.catch((error: unknown) => (failed[name] = error));
    }
    return failed;
  }

  beforeAll(async () => {
    purser = await createTestPurser({
      bankOperations: () => bankOperations,
      beforeOpening: async (url) => void (nodes = await proxyNodes(url)),
    });
    const shared = new Map<string, Scene>();
    for (const { name, type } of procedures) {
      const area = areaOfProcedure(name);
      const known = type === "mutation" ? undefined : shared.get(area);
      const create = type === "mutation" ? createScene : createSceneOfArea;
      const scene = known ?? (await sceneOnFirst(() => create(purser, name)));
      if (type !== "mutation") shared.set(area, scene);
      scenes.set(name, scene);
    }
    [ofBoth, ofDown] = await purser.people({}, {});
    up = await organizationOn(0, ofBoth);
    down = await organizationOn(1, ofBoth, ofDown);
    nodes.all[1]!.refuse();
  });
  afterAll(async () => {
    // First, because the coordinator would wait for a silent node.
    await nodes.close();
    await purser.close();
  });

  it("every procedure serves the organizations of the other nodes", async () => {
    const refused: string[] = [];
    for (const { name } of procedures) if (!(await isServed(name))) refused.push(name);
    expect(refused).toEqual([]);
  });

  it("a key of an organization of another node opens it, and one that is not found is not refused", async () => {
    const { keyId } = scenes.get("keys.list")!;
    const key = await resolveOrganizationKey(purser.platform, organizationKeySecret(keyId));
    expect(key).toMatchObject({ keyId });
    const unknown = resolveOrganizationKey(purser.platform, "purser_org_unknown");
    await expect(unknown).rejects.toSatisfy(isUnavailable);
  });

  it("a person sees the organizations of the other nodes, and is not told that there are none", async () => {
    const me = await purser.as(ofBoth).me.get();
    expect(me.memberships.map(({ organizationId }) => organizationId)).toEqual([up]);
    expect((await purser.as(ofBoth).organizations.list({})).map(({ id }) => id)).toEqual([up]);
    expect(await refusalOf(purser.as(ofDown).me.get())).toBe("UNAVAILABLE");
    expect(await refusalOf(purser.as(ofDown).organizations.list({}))).toBe("UNAVAILABLE");
  });

  it("an id that is not found is unavailable instead of unknown", async () => {
    const { owner } = scenes.get("keys.list")!.people;
    const id = purser.unknownId("mem");
    const remove = purser.as(owner).organizations.members.remove({ membershipId: id });
    expect(await refusalOf(remove)).toBe("UNAVAILABLE");
    const { authorize } = purser.as(owner).sandbox.cards;
    const input = exampleInputs["sandbox.cards.authorize"]!(scenes.get("sandbox.cards.authorize")!);
    const ofUnknown = { ...(input as Parameters<typeof authorize>[0]), cardId: purser.unknownId("card") };
    expect(await refusalOf(authorize(ofUnknown))).toBe("UNAVAILABLE");
  });

  it("jobs do the work of the other nodes, except for the retention of old rows", async () => {
    const { organizationId: teamId, people, connectionId } = scenes.get("banking.connections.health")!;
    const syncs = () => purser.as(people.owner).banking.syncs.list({ teamId, connectionId });
    const before = (await syncs()).length;
    purser.clock.advance(25 * hour);
    const { "housekeeping.purge": purge, ...failed } = await runScheduled();
    expect(failed).toEqual({});
    expect(purge).toBeInstanceOf(AggregateError);
    for (const error of (purge as AggregateError).errors)
      expect(String(error)).toMatch(/Failed query:\s+(delete from|UPDATE "event_deliveries")/i);
    await purser.webhooks.drain();
    await purser.drain();
    const [newest, ...older] = await syncs();
    expect(older.length).toBeGreaterThanOrEqual(before);
    expect(newest).toMatchObject({ trigger: "SCHEDULE", status: "SUCCEEDED" });
  });

  interface NamedConsent {
    organizationId: string;
    consentId: string;
  }
  const receive = (type: string, data: NamedConsent | Record<string, never> = {}) => {
    const event = { id: newId("evt", purser.clock.now()), type, data: { ...data } };
    return deliverSandboxEvent(purser.platform, purser.receivers, { area: "banking", event });
  };
  /** Receives an event, and two more in a batch, the last of the organization on the node that is down. */
  async function receiveOfBoth(): Promise<string[]> {
    const { organizationId, connectionId } = scenes.get("banking.connections.health")!;
    const [consent] = await purser.db
      .select({ organizationId: bankConsents.organizationId, consentId: bankConsents.id })
      .from(bankConsents)
      .where(
        and(eq(bankConsents.organizationId, organizationId), eq(bankConsents.connectionId, connectionId)),
      );
    const all = [consent!, consent!, { organizationId: down, consentId: "unknown" }];
    const received = await Promise.allSettled(all.map((each) => receive("transactions.changed", each)));
    return received.map(({ status }) => status);
  }

  it("webhooks of the organizations of the other nodes are received, and a link that one finishes", async () => {
    expect(await receiveOfBoth()).toEqual(["fulfilled", "fulfilled", "rejected"]);
    const { organizationId: teamId, people } = scenes.get("banking.link.create")!;
    const link = { teamId, provider: "sandbox", providerId: "sprout-bank" } as const;
    const { url } = await purser.as(people.owner).banking.link.create(link);
    const id = url.split("/").at(-1)!;
    const { webhooks } = await purser.platform.banks.at("sandbox");
    bankOperations = { webhooks: { ...webhooks!, read: () => ({ kind: "link_finished", state: id }) } };
    expect(await receive("link.finished")).toEqual({ outcome: "accepted" });
    bankOperations = {};
    const finished = await purser.db.select().from(bankLinks).where(eq(bankLinks.organizationId, teamId));
    expect(finished.filter(({ finishedAt }) => finishedAt !== null)).toHaveLength(1);
  });

  it("nothing is lost: after its return its organizations are as before", async () => {
    nodes.all[1]!.restore();
    const opens = () => outcomeOf(purser.as(ofDown).me.get()).catch(() => "failed");
    await expect.poll(opens, { timeout: 30_000 }).toBe("ok");
    const organizations = await purser.as(ofDown).organizations.list({});
    expect(organizations.map(({ id }) => id)).toEqual([down]);
    await expect
      .poll(async () => (await purser.as(ofBoth).me.get()).memberships.length, { timeout: 30_000 })
      .toBe(2);
    expect(await runScheduled()).toEqual({});
  });

  it("its organizations take no connection from the others while it is silent", async () => {
    const [, node] = nodes.all;
    node!.refuse();
    expect(await purser.as(ofBoth).organizations.list({})).toHaveLength(1);
    node!.restore();
    node!.silence();
    const startedAt = performance.now();
    const listMembers = (person: Person, organizationId: string) =>
      purser.as(person).organizations.members.list({ organizationId });
    const refused = Array.from({ length: 40 }, () => refusalOf(listMembers(ofDown, down)));
    expect(await listMembers(ofBoth, up)).toHaveLength(2);
    expect(new Set(await Promise.all(refused))).toEqual(new Set(["UNAVAILABLE"]));
    expect(await receiveOfBoth()).toEqual(["fulfilled", "fulfilled", "rejected"]);
    // A statement that waits for the node takes twenty.
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});
