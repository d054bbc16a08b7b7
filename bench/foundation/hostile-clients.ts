import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createTestPurser } from "@purser/testing";
import { measureCalls, roundSeconds } from "../calls.ts";
import { recordGoal, reportLine } from "../report.ts";
import { newSecrets, startServiceTarget } from "../whole-service.ts";

const hostile = 1000;
const atOnce = 10;
/** Long enough for the deadlines of all hostile clients to pass. */
const hostileRounds = Math.ceil(60 / roundSeconds);

/** Measures ordinary requests without and with hostile connections: slow, silent, large, and without reading. */
export async function hostileClients(): Promise<void> {
  const secrets = newSecrets();
  const purser = await createTestPurser({ settings: secrets });
  purser.clock.set(new Date());
  const owner = await purser.person();
  const id = await purser.organization(owner);
  const headers = { authorization: `Bearer ${await purser.auth.openSession(owner.userId)}` };
  const target = await startServiceTarget(purser.platform.settings.databaseUrl!, secrets);
  const read = async (path: string): Promise<string> => {
    const response = await fetch(target.baseUrl + path, { headers });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.text();
  };
  const memory = async () =>
    Number(/^process_resident_memory_bytes (\S+)/m.exec(await read("/metrics"))![1]) / 2 ** 20;
  // A person or a program that works at its own pace. A loop without pauses would measure the processors.
  const call = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20 * Math.random()));
    const start = performance.now();
    await read(`/api/organizations/${id}`);
    samples.push(performance.now() - start);
  };
  let samples: number[] = [];
  const measureP95 = async () => {
    samples = [];
    await measureCalls(call, atOnce);
    return samples.toSorted((one, other) => one - other)[Math.floor(samples.length * 0.95)]!;
  };

  const clients = fork(
    fileURLToPath(new URL("hostile-process.ts", import.meta.url)),
    [new URL(target.baseUrl).port, String(hostile)],
    { execArgv: [] },
  );
  clients.kill("SIGSTOP");
  try {
    await measureP95();
    const quiet = await measureP95();
    const before = await memory();
    clients.kill("SIGCONT");
    await once(clients, "message");
    const duringAttack: number[] = [];
    let largest = 0;
    for (let round = 0; round < hostileRounds; round += 1) {
      duringAttack.push(await measureP95());
      largest = Math.max(largest, await memory());
    }
    reportFigures({ quiet, duringAttack, before, largest });
    const refused = (await read("/metrics")).match(/^purser_http_refused_total\{.*$/gm) ?? [];
    for (const line of refused) reportLine(line);
  } finally {
    clients.kill("SIGKILL");
    await target.stop();
    await purser.close();
  }
}

interface Figures {
  /** The 95th percentile without hostile connections, and of each round with them, in milliseconds. */
  quiet: number;
  duringAttack: readonly number[];
  /** Memory before and at most, in MiB. */
  before: number;
  largest: number;
}

function reportFigures({ quiet, duringAttack, before, largest }: Figures): void {
  const worst = Math.max(...duringAttack);
  const median = duringAttack.toSorted((one, other) => one - other)[Math.floor(duringAttack.length / 2)]!;
  const verdict = recordGoal({
    what: `p95 of ordinary requests beside ${hostile} hostile connections`,
    measured: `${(median / quiet).toFixed(2)} times as long`,
    goal: "under 2 times",
    holds: median < 2 * quiet,
  });
  const memoryVerdict = recordGoal({
    what: `Memory of a process beside ${hostile} hostile connections`,
    measured: `${largest.toFixed(0)} MiB, ${before.toFixed(0)} before`,
    goal: "at most 300 MiB more",
    holds: largest - before <= 300,
  });
  reportLine(
    `\nReading an organization, ${atOnce} clients with pauses, ${duringAttack.length} rounds of ${roundSeconds} s\n`,
  );
  reportLine(`p95 without others                  ${quiet.toFixed(1)} ms`);
  reportLine(
    `p95 beside ${hostile} hostile connections ${median.toFixed(1)} ms in the median round, ` +
      `${worst.toFixed(1)} ms in the worst: ${verdict}`,
  );
  reportLine(
    `resident memory                     ${before.toFixed(0)} MiB, at most ${largest.toFixed(0)} MiB: ${memoryVerdict}`,
  );
}
