import type { RandomSource } from "@purser/core";
import type { EventFollower } from "./event-follower.ts";
import type { RetryingClient } from "./retrying-client.ts";
import type { AcknowledgedState, Tenant } from "./acknowledged-state.ts";
import type { ReportViolation, ProcessSupervisor } from "./process-supervisor.ts";

/** The context of one seed. */
export interface LoadContext {
  seed: number;
  processes: ProcessSupervisor;
  client: RetryingClient;
  state: AcknowledgedState;
  /** They read the events of each tenant. */
  followers: EventFollower[];
  reportViolation: ReportViolation;
  /** The instant of every purchase, so that no limit window ends during the run. */
  at: string;
}

/** Performs one action, and waits until its outcome is known. */
export type WorkloadStep = () => Promise<void>;

/** One kind of load on a tenant. The random source determines the sequence of its steps. */
export type Workload = (context: LoadContext, tenant: Tenant, random: RandomSource) => WorkloadStep;
