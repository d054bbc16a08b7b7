import {
  NodePools,
  ShardPlacements,
  connect,
  idempotencyKeys,
  idempotencyResults,
  moveOrganization,
  organizations,
  outboxJobs,
  users,
} from "@purser/db";
import { changeOrganization, leaseMs } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import { listOutbox } from "@purser/platform/outbox";
import {
  type Person,
  type TestPurser,
  createTestPurser,
  distributedDatabaseUrl,
  refusalOf,
} from "@purser/testing";
import { eq, getTableName, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe.skipIf(distributedDatabaseUrl === null)("a change of an organization on a cluster", () => {
  let purser: TestPurser;
  let owner: Person;
  let organizationId: string;
  beforeAll(async () => {
    purser = await createTestPurser();
    owner = await purser.person();
    organizationId = await purser.organization(owner);
  });
  afterAll(() => purser.close());

  const rename = (name: string, idempotencyKey: string | null = null, id = organizationId) =>
    purser.as(owner, { idempotencyKey }).organizations.update({ id, name });
  const nameNow = async () => (await purser.as(owner).organizations.get({ id: organizationId })).name;
  const mail = (subject: string) => ({ to: "sam@example.com", subject, text: "" });
  const enqueue = (subject: string, platform = purser.platform) =>
    changeOrganization(platform, organizationId, (transaction) =>
      purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, mail(subject)),
    );
  const left = () => purser.db.select().from(outboxJobs);

  /** Runs all jobs, and returns the subjects of the mails. */
  async function sentMails(): Promise<string[]> {
    purser.mails.length = 0;
    await purser.drain();
    return purser.mails.map(({ subject }) => subject);
  }

  const move = () => moveOrganization(purser.platform.settings, { organizationId, blocksWrites: true });

  /** Returns the changes that the coordinator gets meanwhile. */
  async function changesOnCoordinator(run: () => Promise<unknown>): Promise<string[]> {
    const sent: string[] = [];
    purser.db.$client.options.debug = (_connection, text) => void sent.push(text);
    await run();
    purser.db.$client.options.debug = false;
    return sent.filter((text) => !/^\s*(select|begin|commit)\b/i.test(text));
  }

  it("sends the coordinator its key and, after the commit, that there are events", async () => {
    await rename("First");
    const changes = await changesOnCoordinator(() => rename("Second", "statements"));
    expect(await nameNow()).toBe("Second");
    expect(changes).toEqual([expect.stringMatching(/^insert into "idempotency_keys"/)]);
  });

  it("sends it only the key where a provider is called first", async () => {
    const id = await purser.organization(owner);
    const remove = purser.as(owner, { idempotencyKey: "removed" }).organizations.delete;
    const changes = await changesOnCoordinator(() => remove({ id }));
    expect(changes).toEqual([expect.stringMatching(/^insert into "idempotency_keys"/)]);
    await expect(remove({ id })).resolves.toBeUndefined();
  });

  it("has its output in the shard, sealed, with one effect for all repeats", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => rename("Once", "repeated")));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const [result] = await purser.db
      .select()
      .from(idempotencyResults)
      .where(eq(idempotencyResults.key, "repeated"));
    expect(result).toMatchObject({ organizationId, output: expect.stringMatching(/^v1\./) });
    const trail = await purser.as(owner).organizations.audit.list({ id: organizationId });
    expect(JSON.stringify(trail).split('"to":{"name":"Once"').length).toBe(2);
  });

  it("keeps its key from another input and another organization, and frees it after a failure", async () => {
    const other = await purser.organization(owner);
    await rename("Kept", "kept");
    expect(await refusalOf(rename("Other", "kept"))).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(await refusalOf(rename("Kept", "kept", other))).toBe("IDEMPOTENCY_KEY_REUSED");
    const { updateRole } = purser.as(owner, { idempotencyKey: "failed" }).organizations.members;
    const [membership] = await purser.as(owner).organizations.members.list({ organizationId });
    expect(await refusalOf(updateRole({ id: membership!.id, role: "MEMBER" }))).toBe("CREATOR_PROTECTED");
    await updateRole({ id: membership!.id, role: "OWNER" });
  });

  it("lets another input take the key of a process that died before its commit", async () => {
    const claimed = { userId: owner.userId, procedure: "organizations.update", key: "died" };
    const createdAt = purser.clock.now();
    const fingerprint = "a".repeat(43);
    await purser.db
      .insert(idempotencyKeys)
      .values({ ...claimed, fingerprint, resultIn: organizationId, createdAt });
    expect(await refusalOf(rename("Next", "died"))).toBe("IDEMPOTENCY_IN_PROGRESS");
    purser.clock.advance(leaseMs);
    await rename("Next", "died");
    expect(await nameNow()).toBe("Next");
    expect(await refusalOf(rename("Last", "died"))).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("repeats nothing if only the coordinator's note of the key is lost", async () => {
    await rename("Noted", "noted");
    await purser.db.delete(idempotencyKeys).where(eq(idempotencyKeys.key, "noted"));
    await rename("Later");
    await rename("Noted", "noted");
    expect(await nameNow()).toBe("Later");
    await purser.db.delete(idempotencyKeys).where(eq(idempotencyKeys.key, "noted"));
    expect(await refusalOf(rename("Other", "noted"))).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("has its jobs in the queue after its commit, and none if it rolls back", async () => {
    const refused = changeOrganization(purser.platform, organizationId, async (transaction) => {
      await purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, mail("rolled back"));
      await transaction.transaction((savepoint) =>
        purser.platform.outbox.enqueue(savepoint, platformJobs.sendMail, mail("in a savepoint")),
      );
      throw new Error("roll back");
    });
    await expect(refused).rejects.toThrow("roll back");
    await enqueue("committed");
    await expect.poll(left).toEqual([]);
    expect(await sentMails()).toEqual(["committed"]);
  });

  it("leaves jobs in its shard while there is no queue, and any process moves them later, once", async () => {
    await purser.db.execute(sql`ALTER SCHEMA pgboss RENAME TO away`);
    await enqueue("left");
    // Waits for the attempt that follows the commit.
    await purser.platform.outbox.relay({ leftForMs: 60_000 });
    await purser.db.execute(sql`ALTER SCHEMA away RENAME TO pgboss`);
    const [job] = await left();
    expect(job).toMatchObject({ organizationId, name: "mail.send" });
    await purser.platform.outbox.relay({ leftForMs: 0 });
    expect(await left()).toEqual([]);
    // As if the process had died between the two.
    await purser.db.insert(outboxJobs).values(job!);
    expect(await sentMails()).toEqual(["left"]);
    expect(await left()).toEqual([]);
    const queued = await listOutbox(purser.db, { limit: 1000 });
    expect(queued.filter(({ id }) => id === job!.id)).toHaveLength(1);
  });

  it.each([
    ["of the coordinator, which would commit there alone", idempotencyKeys],
    ["that every node has, which would change on this one alone", users],
  ])("refuses to change a table %s", async (_what, table) => {
    const change = changeOrganization(purser.platform, organizationId, (transaction) =>
      transaction.delete(table).where(sql`false`),
    );
    const message = `A transaction of an organization cannot change "${getTableName(table)}"`;
    await expect(change).rejects.toMatchObject({ cause: { message } });
  });

  it("is made in the new place if its shard moves meanwhile", async () => {
    await enqueue("before the move");
    await move();
    const change = (name: string) =>
      changeOrganization(purser.platform, organizationId, (transaction) =>
        transaction.update(organizations).set({ name }).where(eq(organizations.id, organizationId)),
      );
    await change("Moved");
    expect(await nameNow()).toBe("Moved");
    await enqueue("after the move");
    expect((await sentMails()).toSorted()).toEqual(["after the move", "before the move"]);
  });

  it("goes through the coordinator to a node that only the coordinator reaches, in one phase as well", async () => {
    const { db: coordinator, logger } = purser.platform;
    const unreachable = connect("postgres://postgres@127.0.0.1:1/purser");
    const requests = new NodePools({
      coordinator,
      logger,
      placements: new ShardPlacements({ coordinator, logger }),
      open: () => unreachable,
    });
    const nodes = { ...purser.platform.nodes!, requests };
    await enqueue("through the coordinator", { ...purser.platform, nodes });
    expect(await sentMails()).toEqual(["through the coordinator"]);
    await requests.close();
  });
});
