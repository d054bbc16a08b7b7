import { setTimeout as sleep } from "node:timers/promises";
import type { AcknowledgedState } from "./acknowledged-state.ts";
import type { Instance, ProcessSupervisor } from "./process-supervisor.ts";
import { signUp } from "./tenants.ts";
import type { RetryingClient } from "./retrying-client.ts";

const attemptMs = 1000;
const pauseMs = 25;

/** Finds out when the service has recovered. It writes as a separate user during the load. */
export class RecoveryProbe {
  readonly #processes: ProcessSupervisor;
  readonly #token: string;

  private constructor(processes: ProcessSupervisor, token: string) {
    this.#processes = processes;
    this.#token = token;
  }

  static async open(
    processes: ProcessSupervisor,
    client: RetryingClient,
    state: AcknowledgedState,
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
    const isOver = () => performance.now() > back + this.#processes.settleLimitMs;
    await Promise.all(
      this.#processes.instances.map(async (instance) => {
        const attempts = [isReady, ...(instance.role === "server" ? [this.#canWrite] : [])];
        for (const attempt of attempts) while (!(await attempt(instance)) && !isOver()) await sleep(pauseMs);
      }),
    );
    const ms = performance.now() - back;
    if (isOver())
      this.#processes.reportViolation(`Not every process has recovered after ${Math.round(ms)} ms`);
    return ms;
  }

  readonly #canWrite = (server: Instance): Promise<boolean> =>
    succeeds(server, "/api/organizations", {
      method: "POST",
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "prober" }),
    });
}

const isReady = (instance: Instance): Promise<boolean> => succeeds(instance, "/health/ready");

function succeeds({ port }: Instance, path: string, request: RequestInit = {}): Promise<boolean> {
  const signal = AbortSignal.timeout(attemptMs);
  return fetch(`http://127.0.0.1:${port}${path}`, { ...request, signal }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
}
