import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@purser/core";
import type { AcknowledgedState } from "./acknowledged-state.ts";
import type { ClusterNodes } from "./cluster-nodes.ts";
import type { Instance, ProcessSupervisor } from "./process-supervisor.ts";
import { signUp } from "./tenants.ts";
import type { RetryingClient } from "./retrying-client.ts";

const path = "/api/organizations";
const attemptMs = 1000;
const pauseMs = 25;

/** The service, as far as a probe asks it. */
interface ProbedProcesses extends Pick<
  ProcessSupervisor,
  "settleLimitMs" | "timeoutFactor" | "reportViolation"
> {
  nodes: Pick<ClusterNodes, "all" | "nodeOf"> | null;
  instances: readonly Pick<Instance, "name" | "role" | "port">[];
}

type ProbedInstance = ProbedProcesses["instances"][number];

/** Finds out when the service has recovered. It writes as a separate user during the load. */
export class RecoveryProbe {
  readonly #processes: ProbedProcesses;
  readonly #token: string;
  /** The paths of organizations that are written to: one on each node of a Citus cluster. */
  readonly #onNodes: string[];

  private constructor(processes: ProbedProcesses, token: string, onNodes: string[]) {
    this.#processes = processes;
    this.#token = token;
    this.#onNodes = onNodes;
  }

  static async open(
    processes: ProbedProcesses,
    client: Pick<RetryingClient, "send">,
    state: Pick<AcknowledgedState, "signUps">,
  ): Promise<RecoveryProbe> {
    const { token } = await signUp(client, "prober");
    state.signUps += 1;
    const onNodes = new Map<unknown, string>();
    while (onNodes.size < (processes.nodes?.all.length ?? 0)) {
      const request = { method: "POST", path, token, body: { name: "prober" } } as const;
      const { id } = (await client.send(request)).body as { id: string };
      onNodes.set(await processes.nodes!.nodeOf(id), `${path}/${id}`);
    }
    return new RecoveryProbe(processes, token, [...onNodes.values()]);
  }

  /**
   * Waits until every process is ready and a write succeeds on every server, on a Citus cluster for each node. Returns the
   * milliseconds since `back`, when the fault began to be undone.
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

  async #tryWrite(server: ProbedInstance): Promise<string | null> {
    const write = (method: string, to: string) =>
      this.#attempt(server, to, {
        method,
        headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "prober" }),
      });
    for (const organization of this.#onNodes) {
      const failure = await write("PATCH", organization);
      if (failure !== null) return failure;
    }
    return write("POST", path);
  }

  /** Returns what failed, or null. */
  async #attempt({ port }: ProbedInstance, to: string, request: RequestInit = {}): Promise<string | null> {
    const signal = AbortSignal.timeout(attemptMs * this.#processes.timeoutFactor);
    try {
      const response = await fetch(`http://127.0.0.1:${port}${to}`, { ...request, signal });
      const body = await response.text();
      return response.ok ? null : `${to} returned ${response.status} ${body}`;
    } catch (error) {
      return `${to} failed with ${errorText(error)}`;
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
