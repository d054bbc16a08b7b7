import type { RandomSource } from "@purser/core";
import type { Client } from "./client.ts";
import type { Ledger, Tenant } from "./ledger.ts";
import type { Complain, ProcessSupervisor } from "./processes.ts";

/** The context of one seed. */
export interface LoadContext {
  seed: number;
  processes: ProcessSupervisor;
  client: Client;
  ledger: Ledger;
  complain: Complain;
  /** The instant of every purchase, so that no limit window ends during the run. */
  at: string;
}

/** Performs one action for a tenant per call, and waits until its outcome is known. */
export type Act = () => Promise<void>;

/** A participant who acts for a tenant. Its random source determines its actions. */
export type Role = (world: LoadContext, tenant: Tenant, chance: RandomSource) => Act;
