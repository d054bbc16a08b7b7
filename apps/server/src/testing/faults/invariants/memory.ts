import type { ProcessMemory } from "../preload.ts";
import type { ProcessSupervisor } from "../process-supervisor.ts";

const allowedGrowth = 1.2;

/** The memory of each process by its name. */
export type MemoryByProcess = ReadonlyMap<string, ProcessMemory>;

/** Measures each process after a garbage collection. All of them must be up and have nothing to do. */
export async function measureMemory({ instances }: ProcessSupervisor): Promise<MemoryByProcess> {
  const measure = async ({ name, process }: (typeof instances)[number]) =>
    [name, (await process!.ask({ measureMemory: true })) as ProcessMemory] as const;
  return new Map(await Promise.all(instances.map(measure)));
}

/** After the faults, each process uses at most 20 % more memory than before. A new process counts as its predecessor. */
export function checkMemory(
  { reportViolation }: ProcessSupervisor,
  before: MemoryByProcess,
  after: MemoryByProcess,
): void {
  for (const [name, memory] of after)
    for (const kind of ["rss", "reachable"] as const) {
      const [used, usedBefore] = [memory[kind], before.get(name)![kind]];
      if (used > allowedGrowth * usedBefore)
        reportViolation(`${name} has ${mebibytes(used)} (${kind}), and had ${mebibytes(usedBefore)} before`);
    }
}

const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
