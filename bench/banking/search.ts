import { percentiles } from "../calls.ts";
import { reportLine, recordGoal } from "../report.ts";
import { merchants } from "./feed.ts";
import { type Linked, linkBank } from "./setup.ts";
import { line } from "../table.ts";

const transactions = 1_000_000;
const callsOfKind = 60;
/** The goal for the 95th percentile of all calls of one kind. */
const goalMs = 100;

/**
 * Searches a history of a million transactions: frequent, rare and unknown words, words of which all matches are old, and
 * each with other filters. The descriptions are a merchant and the number of the transaction, counted from the newest. So
 * `7` begins a word of a ninth of them, and `95` hardly any word but those of ten thousand old ones.
 */
export async function search(): Promise<void> {
  const linked = await linkBank(transactions);
  try {
    await linked.purser.drain();
    // What autovacuum and the hourly task do.
    await linked.purser.db.$client`SELECT gin_clean_pending_list('bank_transactions_search')`;
    await linked.purser.db.$client`VACUUM ANALYZE bank_transactions`;
    reportLine(`\nSearch of ${transactions.toLocaleString("en")} transactions, pages of 1,000, in ms\n`);
    reportLine(line("", "rows", "p50", "p95", "most", "to reach"));
    for (const [name, input] of Object.entries(kinds(linked))) await measureKind(linked, name, input);
  } finally {
    await linked.purser.close();
  }
}

type Input = () => object;

function kinds({ accountIds }: Linked): Record<string, Input> {
  let calls = 0;
  // The multiplier is prime, so the choices are spread and equal in each run.
  const upTo = (count: number) => (calls++ * 7919) % count;
  const pick = <Value>(values: readonly Value[]) => values[upTo(values.length)]!;
  const digits = (count: number) => String(10 ** (count - 1) + upTo(9 * 10 ** (count - 1)));
  const merchant = () => pick(merchants).split(" ")[0]!;
  const from = new Date("2025-01-01T00:00:00.000Z");
  return {
    "a word of every eighth": () => ({ query: merchant() }),
    "one digit: a ninth": () => ({ query: digits(1) }),
    "two digits: old ones": () => ({ query: digits(2) }),
    "three digits": () => ({ query: digits(3) }),
    "a whole number: a few": () => ({ query: digits(6) }),
    "an unknown word": () => ({ query: `nothing${digits(3)}` }),
    "two words": () => ({ query: `${merchant()} ${digits(2)}` }),
    "frequent and unknown": () => ({ query: `${merchant()} nothing` }),
    "two digits, of an account": () => ({ query: digits(2), accountId: pick(accountIds) }),
    "two digits, since a day": () => ({ query: digits(2), from }),
    "two digits, rare type": () => ({ query: digits(2), type: "CREDIT" }),
    "an exact amount": () => ({ minAmount: 4321, maxAmount: 4321 }),
    "a range of amounts": () => ({ minAmount: 99_000, maxAmount: 99_999 }),
    "a word and amounts": () => ({ query: merchant(), minAmount: 99_500 }),
  };
}

async function measureKind({ purser, owner, teamId }: Linked, name: string, input: Input): Promise<void> {
  const { transactions: api } = purser.as(owner).banking;
  const samples: number[] = [];
  let rows = 0;
  for (let call = 0; call < callsOfKind; call += 1) {
    const start = performance.now();
    rows += (await api.list({ teamId, ...input() })).length;
    samples.push(performance.now() - start);
  }
  const at = percentiles(samples);
  const verdict = recordGoal({
    what: `Search of ${transactions.toLocaleString("en")} transactions: ${name}`,
    measured: `p95 ${at(0.95).toFixed(0)} ms`,
    goal: `under ${goalMs} ms`,
    holds: at(0.95) < goalMs,
  });
  const figures = [at(0.5), at(0.95), at(1)].map((milliseconds) => milliseconds.toFixed(1));
  reportLine(line(name, (rows / callsOfKind).toFixed(0), ...figures, `${goalMs} ${verdict}`));
}
