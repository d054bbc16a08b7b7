import { afterCommit, auditEntries, writeBeforeCommit } from "@purser/db";
import type { Transaction } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordAudit } from "./audit.ts";

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
    await act(transaction, "first");
    const failed = transaction.transaction(async (savepoint) => {
      await act(savepoint, "rolled back");
      await savepoint.transaction((inner) => act(inner, "rolled back too"));
      throw new Error("undone");
    });
    await expect(failed).rejects.toThrow("undone");
    await transaction.transaction((savepoint) => act(savepoint, "kept"));
    await act(transaction, "last");
    expect(await subjects(transaction)).toEqual([]);
  });
  expect(await subjects()).toEqual(["first", "kept", "last"]);
});

it("writes all or nothing with its transaction", async () => {
  const before = await subjects();
  const undone = purser.db.transaction(async (transaction) => {
    await act(transaction, "never");
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  let isCommitted = false;
  const full = purser.db.transaction(async (transaction) => {
    await act(transaction, "never");
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
