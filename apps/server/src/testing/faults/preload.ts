import dns from "node:dns";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { databaseHostVariable, databaseName } from "./database-name.ts";

/**
 * Loaded into each process of the harness before the service. On request it shifts the clock, lets the database's name
 * lead to another address and measures memory. It ends the process when the harness ends for any reason.
 */
export type PreloadMessage = { shiftMs: number } | { databaseHost: string } | { measureMemory: true };

/** The memory of a process in bytes, after a full garbage collection. */
export interface ProcessMemory {
  rss: number;
  /** What is reachable: objects, and the buffers that they own. */
  reachable: number;
}

let shiftMs = 0;
const realDate = Date;
const now = () => realDate.now() + shiftMs;

globalThis.Date = new Proxy(realDate, {
  construct: (real, given) => Reflect.construct(real, given.length === 0 ? [now()] : given) as object,
  get: (real, name) => (name === "now" ? now : Reflect.get(real, name)),
});

let databaseHost = process.env[databaseHostVariable] ?? "";
const realLookup = dns.lookup;
const lookup = (name: string, ...rest: never[]) =>
  (realLookup as (...args: unknown[]) => void)(name === databaseName ? databaseHost : name, ...rest);
dns.lookup = lookup as typeof dns.lookup;

process.on("message", (message: PreloadMessage) => {
  if ("shiftMs" in message) shiftMs = message.shiftMs;
  else if ("databaseHost" in message) ({ databaseHost } = message);
  else process.send!(measureMemory());
});
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// This listener must not keep a finished process alive.
process.channel?.unref();

function measureMemory(): ProcessMemory {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: object) => void;
  // The last resort also returns free pages to the system.
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, reachable: heapUsed + external };
}
