import { isUnavailable, sqlState } from "@purser/db";

/**
 * Records what no request depends on, such as the last use of a key. While the database refuses changes, or the row is locked,
 * a request that only reads goes on. A later one records it.
 */
export async function recordIfPossible(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isUnavailable(error) && sqlState(error) !== "55P03") throw error;
  }
}
