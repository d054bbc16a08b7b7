import { connect } from "@purser/db";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createTestDatabase, distributedDatabaseUrl } from "./database.ts";

// The first connection starts the daemon of Citus, which connects to all servers, and so starts theirs.
it.skipIf(distributedDatabaseUrl === null)(
  "drops a database of a cluster while the daemons of Citus are connecting to it",
  async () => {
    const useAndDrop = async () => {
      const { url, drop } = await createTestDatabase();
      const db = connect(url, { max: 1 });
      await db.execute(sql`SELECT`);
      await db.close();
      await drop();
    };
    // Without refusing connections first, one in eight fails, after five seconds.
    for (let round = 0; round < 4; round += 1)
      await expect(Promise.all([useAndDrop(), useAndDrop()])).resolves.toBeDefined();
  },
);
