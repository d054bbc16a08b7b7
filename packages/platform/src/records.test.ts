import { afterCommit, auditEntries, events, writeBeforeCommit } from "@purser/db";
import type { Transaction } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { eq, like } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordAudit } from "./audit.ts";
import { eventColumns, eventOrigin, eventRow } from "./events/index.ts";
import { writeRecord } from "./records.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const organizationId = "org_of_this_test";
const act = (transaction: Transaction, subject: string) =>
  recordAudit(transaction, { organizationId, subject, actor: null, action: "test", at: new Date() });
const subjects = async (db: Pick<Transaction, "select"> = purser.db) =>
  (
    await db
      .select({ subject: auditEntries.subject })
      .from(auditEntries)
      .where(eq(auditEntries.organizationId, organizationId))
      .orderBy(auditEntries.id)
  ).map(({ subject }) => subject);

it("writes what a transaction recorded at its end, in order, without what a savepoint rolled back", async () => {
  await purser.db.transaction(async (transaction) => {
    act(transaction, "first");
    const failed = transaction.transaction(async (savepoint) => {
      act(savepoint, "rolled back");
      await savepoint.transaction(async (inner) => act(inner, "rolled back too"));
      throw new Error("undone");
    });
    await expect(failed).rejects.toThrow("undone");
    await transaction.transaction(async (savepoint) => act(savepoint, "kept"));
    act(transaction, "last");
    expect(await subjects(transaction)).toEqual([]);
  });
  expect(await subjects()).toEqual(["first", "kept", "last"]);
});

it("writes all or nothing with its transaction", async () => {
  const before = await subjects();
  const undone = purser.db.transaction(async (transaction) => {
    act(transaction, "never");
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  let isCommitted = false;
  const full = purser.db.transaction(async (transaction) => {
    act(transaction, "never");
    afterCommit(transaction, () => void (isCommitted = true));
    writeBeforeCommit(
      transaction,
      async () => {
        throw new Error("not written");
      },
      null,
    );
  });
  await expect(full).rejects.toThrow("not written");
  expect(isCommitted).toBe(false);
  expect(await subjects()).toEqual(before);
});

it("writes one entry and one event as it writes several", async () => {
  const { keys, eraBase } = await eventOrigin(purser.platform, null);
  const { first } = await purser.platform.eventLog.eras();
  const at = new Date("2026-03-02T10:20:30.456Z");
  const details = { name: 'Räder "und" \\ mehr', none: null, list: [1, "two"] };
  const ann = { id: "user_of_this_test", name: "Ann" };
  // Nobody and somebody, and an entry and an event of different actors.
  for (const [actor, eventActor] of [
    [null, null],
    [ann, ann],
    [{ ...ann, id: "user_of_the_entry" }, ann],
  ]) {
    const entry = (number: number) => ({
      organizationId: `org_${number}`,
      id: `aud_${actor?.id}_${number}`,
      at,
      actorId: actor?.id ?? null,
      actorName: actor?.name ?? null,
      action: "test",
      subject: "subject",
      details,
    });
    const event = (number: number) => ({
      ...eventRow(
        { keys, eraBase, createdAt: at, actor: eventActor! },
        { organizationId: `org_${number}`, type: "organization.updated", subject: "subject", data: details },
      ),
      id: `evt_${actor?.id}_${number}`,
      cardId: actor && "card_of_this_test",
    });
    await purser.db.transaction(async (transaction) => {
      writeRecord(transaction, { entry: entry(1) });
      writeRecord(transaction, { event: event(1) });
    });
    await purser.db.transaction(async (transaction) => writeRecord(transaction, { entry: entry(2) }));
    await purser.db.transaction(async (transaction) => {
      for (const number of [3, 4]) {
        writeRecord(transaction, { entry: entry(number) });
        writeRecord(transaction, { event: event(number) });
      }
    });
    const entries = await purser.db
      .select()
      .from(auditEntries)
      .where(like(auditEntries.id, `aud_${actor?.id}_%`))
      .orderBy(auditEntries.id);
    expect(entries).toEqual([1, 2, 3, 4].map(entry));
    const stored = await purser.db
      .select(eventColumns)
      .from(events)
      .where(like(events.id, `evt_${actor?.id}_%`))
      .orderBy(events.id);
    expect(stored).toEqual([1, 3, 4].map((number) => ({ ...event(number), era: first })));
  }
});
