import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, idempotencyKeys, idempotencyResults } from "@purser/db";
import { backUpDatabase, restoreDatabase } from "@purser/db/backup";
import { migrateDatabase } from "@purser/platform";
import { createTestDatabase, distributedDatabaseUrl, testSettings } from "@purser/testing";
import { expect, it, onTestFinished } from "vitest";
import { registeredJobs } from "./jobs.ts";

it.skipIf(distributedDatabaseUrl !== null)(
  "a cluster's backup frees, on one PostgreSQL, the idempotency keys of the requests that ran",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "purser-keys-"));
    const databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const [cluster, restored] = databases.map(({ url }) => connect(url, { max: 1 }));
    onTestFinished(async () => {
      await Promise.all([cluster!.close(), restored!.close()]);
      await Promise.all(databases.map((database) => database.drop()));
      await rm(folder, { recursive: true });
    });
    const [from, to] = databases.map(({ url }) => ({
      ...testSettings(),
      databaseUrl: url,
      directDatabaseUrl: null,
    }));
    const key = {
      userId: "user_1",
      procedure: "cards.create",
      fingerprint: "x".repeat(43),
      createdAt: new Date(),
    };
    await cluster!.insert(idempotencyKeys).values(
      ["running", "completed", "elsewhere"].map((name) => ({
        ...key,
        key: name,
        resultIn: name === "elsewhere" ? null : "org_1",
      })),
    );
    await cluster!.insert(idempotencyResults).values({ ...key, key: "completed", organizationId: "org_1" });
    await backUpDatabase(from!, join(folder, "backup"));
    await restoreDatabase(to!, join(folder, "backup"), {
      migrate: (upTo) => migrateDatabase(to!, registeredJobs, { upTo }),
      verifySecrets: () => Promise.resolve(null),
      onWarning: (message) => expect.unreachable(message),
    });
    const left = (await restored!.select().from(idempotencyKeys)).map((row) => row.key);
    expect(left.toSorted()).toEqual(["completed", "elsewhere"]);
  },
);
