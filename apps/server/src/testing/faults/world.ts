import type { RandomSource } from "@purser/core";
import type { Client } from "./client.ts";
import type { Ledger, Tenant } from "./ledger.ts";
import type { Complain, ProcessSupervisor } from "./processes.ts";

/** Everything of one seed. */
export interface LoadContext {
  seed: number;
  processes: ProcessSupervisor;
  client: Client;
  ledger: Ledger;
  complain: Complain;
  /** The instant of every purchase: no window of a limit ends meanwhile. */
  at: string;
}

/** Does one thing for a tenant each time it is called, and waits until what has become of it is known. */
export type Act = () => Promise<void>;

/** Somebody who acts for a tenant; what they do follows from their chance. */
export type Role = (world: LoadContext, tenant: Tenant, chance: RandomSource) => Act;
