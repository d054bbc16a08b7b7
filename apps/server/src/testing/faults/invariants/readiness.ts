import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "@purser/db";
import type { Instance, ProcessSupervisor } from "../process-supervisor.ts";

/** Readiness must follow the database within this time. */
const toleranceMs = 2000;
const answerTimeoutMs = 2000;
const handTimeoutMs = 1500;
const intervalMs = 400;

/** What a probe by hand found, over a time in which it always found the same. */
interface Finding {
  state: HandState;
  /** The end of the first of these probes, and the start of the last one: in between, the state is certain. */
  from: number;
  until: number;
}

/** "unclear" where another connection may find something else. */
type HandState = "ok" | "unavailable" | "unclear";

interface Sample {
  instance: Instance;
  start: number;
  end: number;
  answer: string;
  isReady: boolean | null;
}

/**
 * Compares the readiness of each process with a probe by hand, as long as it runs: a new connection on the same network,
 * and a question whether the database accepts writes.
 */
export class ReadinessWatch {
  readonly #processes: ProcessSupervisor;
  /** Since when each process has contradicted the probe by hand. */
  readonly #wrongSince = new Map<Instance, number>();
  #finding: Finding = { state: "unclear", from: 0, until: 0 };
  #samples: Sample[] = [];
  #isOver = false;
  readonly #running: Promise<unknown>;

  constructor(processes: ProcessSupervisor) {
    this.#processes = processes;
    this.#running = Promise.all([
      this.#probeByHand(),
      ...processes.instances.map((instance) => this.#checkReadiness(instance)),
    ]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #probeByHand(): Promise<void> {
    while (!this.#isOver) {
      const start = performance.now();
      const state = await findByHand(this.#processes);
      if (state === this.#finding.state) this.#finding.until = start;
      else this.#finding = { state, from: performance.now(), until: start };
      this.#judge();
      await sleep(intervalMs);
    }
  }

  async #checkReadiness(instance: Instance): Promise<void> {
    while (!this.#isOver) {
      const { process: checked, state } = instance;
      if (state === "up") {
        const start = performance.now();
        const { isReady, answer } = await fetchReadiness(instance);
        // A process that meanwhile stopped has its own answers.
        if (instance.process === checked && (instance.state as string) === "up")
          this.#samples.push({ instance, start, end: performance.now(), answer, isReady });
      }
      await sleep(intervalMs);
    }
  }

  /** Judges the answers from the time in which the state is certain, and forgets the older ones. */
  #judge(): void {
    const { state, from, until } = this.#finding;
    for (const { instance, start, end, isReady, answer } of this.#samples) {
      if (end > until) continue;
      if (state !== "unclear" && start >= from) this.#processes.comparedReadiness[state] += 1;
      if (state === "unclear" || start < from || isReady === (state === "ok")) {
        this.#wrongSince.delete(instance);
        continue;
      }
      const wrongSince = this.#wrongSince.get(instance) ?? start;
      this.#wrongSince.set(instance, wrongSince);
      if (end - wrongSince < toleranceMs * this.#processes.timeoutFactor) continue;
      this.#processes.reportViolation(
        `${instance.name} answered ${answer} to /health/ready, and like that for ${Math.round(end - wrongSince)} ms, ` +
          `while a probe by hand found the database ${state}`,
      );
      this.#wrongSince.set(instance, Infinity);
    }
    this.#samples = this.#samples.filter(({ end }) => end > until);
  }
}

async function findByHand(processes: ProcessSupervisor): Promise<HandState> {
  const { network, cluster, database, databaseHost } = processes;
  if (network.isUnsteady) return "unclear";
  const timeouts = { connectTimeoutMs: handTimeoutMs, responseTimeoutMs: handTimeoutMs };
  const address = cluster.url(database, network.port, databaseHost);
  const db = connect(address, { max: 1, applicationName: "faults", ...timeouts });
  const start = performance.now();
  try {
    const rows = await db.$client`SHOW transaction_read_only`;
    // The probe of a process has a second, and may have hit a worse moment.
    if (network.isUnsteady || performance.now() - start > handTimeoutMs / 3) return "unclear";
    return rows[0]!["transaction_read_only"] === "on" ? "unavailable" : "ok";
  } catch (error) {
    // Too many connections: those who have one may go on.
    return (error as { code?: string }).code === "53300" || network.isUnsteady ? "unclear" : "unavailable";
  } finally {
    await db.close(0);
  }
}

/** Null: it did not answer. */
async function fetchReadiness({ port }: Instance): Promise<{ isReady: boolean | null; answer: string }> {
  try {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal });
    return { isReady: response.ok, answer: `${response.status} ${await response.text()}` };
  } catch (error) {
    return { isReady: null, answer: String(error) };
  }
}
