import module from "node:module";
import { startTestServer } from "./database.ts";
import { processorTime } from "./processor-time.ts";
import { moveTemporaryFiles } from "./temporary-files.ts";

/** For vitest's `globalSetup`. */
export async function setup(): Promise<() => Promise<void>> {
  const remove = moveTemporaryFiles();
  // Of the compilers that tests start. They end before their memory runs short, and collecting it takes a fifth of their time.
  process.env["GOGC"] ??= "off";
  const server = await startTestServer({ overSocket: true });
  // So that the workers and their processes find it.
  module.flushCompileCache();
  return async () => {
    reportProcessorTime(server.pid);
    await server.stop();
    remove();
  };
}

/** Prints what the run has cost, by kind of process. The workers have ended by now, with all that they started. */
function reportProcessorTime(postgresPid: number | null): void {
  const run = processorTime(process.pid);
  if (run === null) return;
  const postgres = postgresPid === null ? 0 : (processorTime(postgresPid)?.total ?? 0);
  const kinds = {
    vitest: run.own,
    "its workers and their processes": run.total - run.own - postgres,
    postgres,
  };
  const parts = Object.entries(kinds).map(([kind, seconds]) => `${kind} ${seconds.toFixed(1)}`);
  process.stdout.write(`Processor time  ${run.total.toFixed(1)} s (${parts.join(", ")})\n\n`);
}
