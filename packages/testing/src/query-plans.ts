import type { TestPurser } from "./purser.ts";

/** A node of a statement's plan, as PostgreSQL executed it. */
export interface PlanStep {
  /** For example `Index Scan`. */
  type: string;
  /** The index that the step reads, if any. */
  index: string | undefined;
  /** All rows that the step read, including those that a filter removed. */
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

/** Runs a function and explains every SELECT on this table that it sent. Nothing else may use the pool meanwhile. */
export async function explainQueries(
  { db }: TestPurser,
  table: string,
  run: () => Promise<unknown>,
): Promise<PlanStep[][]> {
  const statements: { text: string; parameters: never[] }[] = [];
  const { options } = db.$client;
  // The driver calls `debug` for every statement.
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
  const { "Actual Rows": returned, "Actual Loops": loops, Plans: inputs = [] } = node;
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const step = { type: node["Node Type"], index: node["Index Name"], rows: (returned + removed) * loops };
  return [step, ...inputs.flatMap((input) => stepsOf(input))];
}
