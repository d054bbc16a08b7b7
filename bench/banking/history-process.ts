import { collectGarbage, watchHeap } from "../memory.ts";
import { type Linked, linkBank } from "./setup.ts";

/** The cost of one history. */
export interface History {
  seconds: number;
  /** The most memory in use above the start, in MiB: what is left after the garbage has been collected, every second. */
  inUse: number;
  /** The largest resident memory, in MiB. Most of it is garbage that was not collected yet. */
  resident: number;
  /** A sync without changes, in milliseconds. The fastest run counts, and the fewest statements: the rest is noise. */
  againMs: number;
  againStatements: number;
}

const repeats = 30;

const linked = await linkBank(Number(process.env["TRANSACTIONS"]));
const first = await syncFirst(linked);
// Autovacuum would do this within minutes.
await linked.purser.db.$client.unsafe("VACUUM ANALYZE bank_transactions, bank_sync_pages, bank_syncs");
const history: History = { ...first, ...(await syncAgain(linked)) };
await linked.purser.close();
process.send!(history, () => process.disconnect());

async function syncFirst({ purser, owner, teamId }: Linked) {
  const inUse = watchHeap(1000, collectGarbage());
  let resident = 0;
  const looking = setInterval(() => (resident = Math.max(resident, process.memoryUsage.rss())), 5);
  const start = performance.now();
  await purser.drain();
  const seconds = (performance.now() - start) / 1000;
  clearInterval(looking);
  const [sync] = await purser.as(owner).banking.syncs.list({ teamId });
  if (sync?.status !== "SUCCEEDED") throw new Error(`The first sync ended with ${sync?.errorCode}`);
  return { seconds, inUse: inUse.stop(), resident: resident / 2 ** 20 };
}

async function syncAgain({ purser, owner, teamId, connectionId }: Linked) {
  const times: number[] = [];
  const counts: number[] = [];
  let statements = 0;
  // The driver calls this for every statement.
  purser.db.$client.options.debug = () => void (statements += 1);
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    statements = 0;
    const start = performance.now();
    await purser.as(owner).banking.connections.sync({ teamId, connectionId });
    times.push(performance.now() - start);
    counts.push(statements);
    purser.clock.advance(60_000);
  }
  return { againMs: Math.min(...times), againStatements: Math.min(...counts) };
}
