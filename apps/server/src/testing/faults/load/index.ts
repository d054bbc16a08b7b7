import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "@purser/core";
import type { Act, LoadContext, Role } from "../world.ts";
import { banking } from "./banking.ts";
import { issuing } from "./cards.ts";
import { racing } from "./concurrent-writes.ts";
import { readOtherTenants } from "./cross-tenant-reads.ts";
import { reading } from "./lists.ts";
import { staffing } from "./members.ts";
import { founding } from "./organizations.ts";
import { buying } from "./purchases.ts";
import { subscribing } from "./subscriptions.ts";

/** The roles that act for each tenant concurrently. */
const cast: Record<string, Role> = {
  buying,
  racing,
  banking,
  subscribing,
  issuing,
  staffing,
  founding,
  reading,
  readOtherTenants,
};

/** All participants of all tenants. The seed determines the sequence of actions of each. */
export class Load {
  readonly #world: LoadContext;
  readonly #pauseMs: number;
  readonly #acts: Act[];
  #isOver = true;
  #running: Promise<unknown> = Promise.resolve();

  constructor(world: LoadContext, pauseMs: number) {
    this.#world = world;
    this.#pauseMs = pauseMs;
    this.#acts = world.ledger.tenants.flatMap((tenant) =>
      Object.entries(cast).map(([name, role]) =>
        role(world, tenant, createRandom("load", world.seed, tenant.name, name)),
      ),
    );
  }

  start(): void {
    this.#isOver = false;
    this.#running = Promise.all(this.#acts.map((act) => this.#repeat(act)));
  }

  /** Resolves when every participant knows the outcome of its last action. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #repeat(act: Act): Promise<void> {
    while (!this.#isOver) {
      try {
        await act();
        if (this.#pauseMs > 0) await sleep(this.#pauseMs);
      } catch (error) {
        this.#world.complain(String(error));
        return;
      }
    }
  }
}
