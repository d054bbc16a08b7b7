import type { TestPurser } from "./purser.ts";

/** A step of a statement's plan, as PostgreSQL took it. */
export interface PlanStep {
  /** For example `Index Scan`. */
  type: string;
  /** The index that it reads, where it reads one. */
  index: string | undefined;
  /** The rows that it looked at in all, those included that it left out. */
  rows: number;
}

interface Node {
  "Node Type": string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Node[];
}

/** Runs something, and gives the steps of every SELECT on this table that it made. Nothing else may run meanwhile. */
export async function explainQueries(
  { db }: TestPurser,
  table: string,
  run: () => Promise<unknown>,
): Promise<PlanStep[][]> {
  const statements: { text: string; parameters: never[] }[] = [];
  const { options } = db.$client;
  // The driver calls it for every statement that it sends.
  options.debug = (_connection, text, parameters) => {
    if (/^\s*select/i.test(text) && text.includes(`"${table}"`))
      statements.push({ text, parameters: parameters as never[] });
  };
  try {
    await run();
  } finally {
    options.debug = false;
  }
  const plans: PlanStep[][] = [];
  for (const { text, parameters } of statements) {
    const [row] = await db.$client.unsafe(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, parameters);
    plans.push(stepsOf(row!["QUERY PLAN"][0].Plan));
  }
  return plans;
}

function stepsOf(node: Node): PlanStep[] {
  const { "Actual Rows": given, "Actual Loops": loops, Plans: inputs = [] } = node;
  const leftOut = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const step = { type: node["Node Type"], index: node["Index Name"], rows: (given + leftOut) * loops };
  return [step, ...inputs.flatMap((input) => stepsOf(input))];
}
