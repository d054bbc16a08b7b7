import { type Linked, linkBank } from "./setup.ts";

/** The cost of one history. Memory is in bytes. */
export interface History {
  seconds: number;
  rssBefore: number;
  rssAbove: number;
  heapAbove: number;
  /** Milliseconds of a sync without changes. The fastest run counts, because noise only slows runs down. */
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
  globalThis.gc!();
  const before = process.memoryUsage();
  const peak = { rss: before.rss, heapUsed: before.heapUsed };
  const look = () => {
    const { rss, heapUsed } = process.memoryUsage();
    peak.rss = Math.max(peak.rss, rss);
    peak.heapUsed = Math.max(peak.heapUsed, heapUsed);
  };
  const looking = setInterval(look, 5);
  const start = performance.now();
  await purser.drain();
  const seconds = (performance.now() - start) / 1000;
  clearInterval(looking);
  const [sync] = await purser.as(owner).banking.syncs.list({ teamId });
  if (sync?.status !== "SUCCEEDED") throw new Error(`The first sync ended with ${sync?.errorCode}`);
  return {
    seconds,
    rssBefore: before.rss,
    rssAbove: peak.rss - before.rss,
    heapAbove: peak.heapUsed - before.heapUsed,
  };
}

async function syncAgain({ purser, owner, teamId, connectionId }: Linked) {
  const times: number[] = [];
  let againStatements = 0;
  // The driver calls this for every statement.
  purser.db.$client.options.debug = () => void (againStatements += 1);
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    againStatements = 0;
    const start = performance.now();
    await purser.as(owner).banking.connections.sync({ teamId, connectionId });
    times.push(performance.now() - start);
    purser.clock.advance(60_000);
  }
  return { againMs: Math.min(...times), againStatements };
}
