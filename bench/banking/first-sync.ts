import { reportLine, recordGoal } from "../report.ts";
import { copyByHand, insertByHand, rowsOf } from "./hand-written-sql.ts";
import { type Linked, linkBank } from "./setup.ts";
import { line } from "../table.ts";

const transactions = 100_000;
const rounds = 3;
/** The goal as a share of the faster hand-written baseline. */
const goal = 0.4;

const engine = "our engine, from the bank to the ledger";

/** The ways to load a first history into the ledger. Their preparation is not timed. */
const ways: Record<string, (linked: Linked) => () => Promise<unknown>> = {
  "by hand, one COPY": (linked) => {
    const rows = rowsOf(linked, transactions);
    return () => copyByHand(linked, rows);
  },
  "by hand, inserts of 1,000 rows": (linked) => {
    const rows = rowsOf(linked, transactions);
    return () => insertByHand(linked, rows);
  },
  [engine]:
    ({ purser }) =>
    () =>
      purser.drain(),
};

/**
 * Compares the first sync of a long history with hand-written inserts of the same rows into the same table.
 */
export async function firstSync(): Promise<void> {
  const best = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, prepare] of Object.entries(ways)) {
      const seconds = await timed(prepare);
      best.set(name, Math.min(seconds, best.get(name) ?? Infinity));
    }
  }
  const limit = Math.min(...[...best].filter(([name]) => name !== engine).map(([, seconds]) => seconds));
  reportLine(`\nFirst sync of ${transactions.toLocaleString("en")} transactions, best of ${rounds} rounds\n`);
  reportLine(line("", "rows/s", "share", "to reach"));
  for (const [name, seconds] of best) {
    const share = limit / seconds;
    const verdict = name === engine ? `${goal.toFixed(2)} ${judgedShare(share)}` : "";
    reportLine(line(name, (transactions / seconds).toFixed(0), share.toFixed(2), verdict));
  }
}

function judgedShare(share: number): string {
  return recordGoal({
    what: `First sync of ${transactions.toLocaleString("en")} transactions`,
    measured: `${share.toFixed(2)} of one COPY by hand`,
    goal: `at least ${goal.toFixed(2)}`,
    holds: share >= goal,
  });
}

/** Returns the seconds that one way takes, in a database of its own. */
async function timed(prepare: (linked: Linked) => () => Promise<unknown>): Promise<number> {
  const linked = await linkBank(transactions);
  try {
    const run = prepare(linked);
    const start = performance.now();
    await run();
    const seconds = (performance.now() - start) / 1000;
    await expectAll(linked);
    return seconds;
  } finally {
    await linked.purser.close();
  }
}

/** Guards against a way that is fast only because it wrote fewer rows. */
async function expectAll({ purser, teamId }: Linked): Promise<void> {
  const [row] = await purser.db.$client`
    SELECT count(*)::int AS written FROM bank_transactions WHERE organization_id = ${teamId}`;
  if (row?.["written"] !== transactions) throw new Error(`${row?.["written"]} rows were written`);
}
