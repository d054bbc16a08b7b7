import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@purser/core";
import type { AcknowledgedState } from "./acknowledged-state.ts";
import type { Instance, ProcessSupervisor } from "./process-supervisor.ts";
import { signUp } from "./tenants.ts";
import type { RetryingClient } from "./retrying-client.ts";

const attemptMs = 1000;
const pauseMs = 25;

/** The service, as far as a probe asks it. */
interface ProbedProcesses extends Pick<
  ProcessSupervisor,
  "settleLimitMs" | "timeoutFactor" | "reportViolation"
> {
  instances: readonly Pick<Instance, "name" | "role" | "port">[];
}

type ProbedInstance = ProbedProcesses["instances"][number];

/** Finds out when the service has recovered. It writes as a separate user during the load. */
export class RecoveryProbe {
  readonly #processes: ProbedProcesses;
  readonly #token: string;

  private constructor(processes: ProbedProcesses, token: string) {
    this.#processes = processes;
    this.#token = token;
  }

  static async open(
    processes: ProbedProcesses,
    client: Pick<RetryingClient, "send">,
    state: Pick<AcknowledgedState, "signUps">,
  ): Promise<RecoveryProbe> {
    const { token } = await signUp(client, "prober");
    state.signUps += 1;
    return new RecoveryProbe(processes, token);
  }

  /**
   * Waits until every process is ready and a write succeeds on every server. Returns the milliseconds since `back`, when
   * the fault began to be undone.
   */
  async measure(back: number): Promise<number> {
    const { instances, settleLimitMs, reportViolation } = this.#processes;
    const isOver = () => performance.now() > back + settleLimitMs;
    const repeat = (attempt: () => Promise<string | null>) => repeatUntil(isOver, attempt);
    const failures = await Promise.all(
      instances.map(async (instance) => {
        const failure =
          (await repeat(() => this.#tryReadiness(instance))) ??
          (instance.role === "server" ? await repeat(() => this.#tryWrite(instance)) : null);
        return failure === null ? [] : [`${instance.name}: ${failure}`];
      }),
    );
    const ms = performance.now() - back;
    const failed = failures.flat();
    if (failed.length > 0) reportViolation(`Not recovered after ${Math.round(ms)} ms: ${failed.join("; ")}`);
    return ms;
  }

  #tryReadiness(instance: ProbedInstance): Promise<string | null> {
    return this.#attempt(instance, "/health/ready");
  }

  #tryWrite(server: ProbedInstance): Promise<string | null> {
    return this.#attempt(server, "/api/organizations", {
      method: "POST",
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "prober" }),
    });
  }

  /** Returns what failed, or null. */
  async #attempt({ port }: ProbedInstance, path: string, request: RequestInit = {}): Promise<string | null> {
    const signal = AbortSignal.timeout(attemptMs * this.#processes.timeoutFactor);
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...request, signal });
      const body = await response.text();
      return response.ok ? null : `${path} returned ${response.status} ${body}`;
    } catch (error) {
      return `${path} failed with ${errorText(error)}`;
    }
  }
}

/** Repeats an attempt until it succeeds, and returns null; or what failed last when the time was over. */
async function repeatUntil(
  isOver: () => boolean,
  attempt: () => Promise<string | null>,
): Promise<string | null> {
  for (;;) {
    const failure = await attempt();
    if (failure === null || isOver()) return failure;
    await sleep(pauseMs);
  }
}
