import type { BankingPlatform } from "../../context.ts";
import type { TransactionData, UnreadableItem } from "../../ports.ts";
import { type SyncRow, deletePages, insertPage } from "../store/runs.ts";
import { SyncSuperseded } from "./apply.ts";

/** The pages of a sync, stored until all are read. Each page is a heartbeat. */
export class Staging {
  readonly #platform: BankingPlatform;
  readonly #sync: SyncRow;
  count = 0;
  /** What the adapter left out. */
  unreadable: UnreadableItem[] = [];
  readonly reportUnreadable = (item: UnreadableItem): void => void this.unreadable.push(item);

  constructor(platform: BankingPlatform, sync: SyncRow) {
    this.#platform = platform;
    this.#sync = sync;
  }

  async add(page: readonly TransactionData[]): Promise<void> {
    if (page.length === 0) return;
    const { db, clock } = this.#platform;
    if (!(await insertPage(db, this.#sync, this.count, JSON.stringify(page), clock.now()))) {
      throw new SyncSuperseded();
    }
    this.count += 1;
  }

  async clear(): Promise<void> {
    if (this.count > 0) await deletePages(this.#platform.db, this.#sync);
    this.count = 0;
    this.unreadable = [];
  }
}
