import { connect } from "@purser/db";
import { createProviderLocks } from "@purser/platform";
import type { TestPurser } from "@purser/testing";

/** Runs `work` as another process does, which gives up at once if this one holds a lock that it needs. */
export async function inOtherProcess<Result>(
  { platform }: TestPurser,
  work: () => Promise<Result>,
): Promise<Result> {
  const { bankLocks } = platform;
  const lockDb = connect(platform.settings.databaseUrl!, { max: 2 });
  platform.bankLocks = createProviderLocks(lockDb, { maxWaitMs: 1 });
  try {
    return await work();
  } finally {
    platform.bankLocks = bankLocks;
    await lockDb.close();
  }
}
