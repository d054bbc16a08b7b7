import { connect, eventEras, events } from "@purser/db";
import { createTestPurser } from "@purser/testing";
import { desc, sql } from "drizzle-orm";
import { expect, it } from "vitest";

it("records events in a later era after PostgreSQL was upgraded, in a process that goes on", async () => {
  const purser = await createTestPurser();
  const owner = await purser.person();
  const id = await purser.organization(owner);
  const rename = (name: string) => purser.as(owner).organizations.update({ id, name });
  const newestEra = async () =>
    (await purser.db.select().from(events).orderBy(desc(events.era)).limit(1))[0]!.era;
  await rename("Before");
  const before = await newestEra();
  const operator = connect(purser.platform.settings.databaseUrl!, { max: 1, applicationName: "operator" });
  await operator.update(eventEras).set({ systemIdentifier: "the server before its upgrade" });
  await operator.execute(
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name <> 'operator'`,
  );
  await expect
    .poll(() => rename("After").then(newestEra, () => null), { timeout: 60_000 })
    .toBeGreaterThan(before);
  // The feed waits for transactions of other tests on the server.
  const newest = async () => (await purser.as(owner).events.feed({ organizationId: id })).events.at(-1);
  await expect.poll(newest, { timeout: 60_000 }).toMatchObject({ data: { name: "After" } });
  await operator.close();
  await purser.close();
});
