import type { BankingPlatform } from "../../context.ts";
import { listUnsearchable, makeSearchable, moveCollectedEntries } from "../store/unsearchable.ts";

const batch = 1000;

/** Makes the rows searchable that a version without search wrote, and keeps the search index fast. */
export async function maintainSearch({ db }: BankingPlatform): Promise<void> {
  for (;;) {
    const rows = await listUnsearchable(db, batch);
    for (const [organizationId, ofOrganization] of Map.groupBy(rows, (row) => row.organizationId))
      await makeSearchable(db, organizationId, ofOrganization);
    if (rows.length < batch) break;
  }
  await moveCollectedEntries(db);
}
