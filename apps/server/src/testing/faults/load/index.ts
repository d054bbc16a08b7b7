import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "@purser/core";
import type { WorkloadStep, LoadContext, Workload } from "../load-context.ts";
import { bankWorkload } from "./banking.ts";
import { cardWorkload } from "./cards.ts";
import { concurrentPurchaseWorkload } from "./concurrent-purchases.ts";
import { crossTenantWorkload } from "./cross-tenant-reads.ts";
import { listWorkload } from "./lists.ts";
import { memberWorkload } from "./members.ts";
import { organizationWorkload } from "./organizations.ts";
import { purchaseWorkload } from "./purchases.ts";
import { subscriptionWorkload } from "./subscriptions.ts";

/** The workloads that run concurrently for each tenant. */
const workloads: Record<string, Workload> = {
  purchaseWorkload,
  concurrentPurchaseWorkload,
  bankWorkload,
  subscriptionWorkload,
  cardWorkload,
  memberWorkload,
  organizationWorkload,
  listWorkload,
  crossTenantWorkload,
};

/** All workloads of all tenants. The seed determines the sequence of steps of each. */
export class Load {
  readonly #context: LoadContext;
  readonly #pauseMs: number;
  readonly #steps: WorkloadStep[];
  #isOver = true;
  #running: Promise<unknown> = Promise.resolve();

  constructor(context: LoadContext, pauseMs: number) {
    this.#context = context;
    this.#pauseMs = pauseMs;
    this.#steps = context.state.tenants.flatMap((tenant) =>
      Object.entries(workloads).map(([name, workload]) =>
        workload(context, tenant, createRandom("load", context.seed, tenant.name, name)),
      ),
    );
  }

  start(): void {
    this.#isOver = false;
    this.#running = Promise.all(this.#steps.map((step) => this.#repeat(step)));
  }

  /** Resolves when the outcome of every last step is known. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #repeat(step: WorkloadStep): Promise<void> {
    while (!this.#isOver) {
      try {
        await step();
        if (this.#pauseMs > 0) await sleep(this.#pauseMs);
      } catch (error) {
        this.#context.reportViolation(String(error));
        return;
      }
    }
  }
}
