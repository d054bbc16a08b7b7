import type { Database } from "@purser/db";
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
  /** Of Citus: what each server does. */
  "Distributed Query"?: { Job: { Tasks: { "Remote Plan": { Plan: Node }[][] }[] } };
  "Node Type": string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Node[];
}

/** Runs a function and explains every SELECT on this table that it sent. Nothing else may use the pools meanwhile. */
export async function explainQueries(
  { db, platform: { decisionDb, nodes } }: TestPurser,
  table: string,
  run: () => Promise<unknown>,
): Promise<PlanStep[][]> {
  // Opens the pools on the nodes that it asks.
  if (nodes !== null) await run();
  const ofNodes = nodes === null ? [] : [...nodes.requests.open, ...nodes.decisions.open];
  const clients = [db, decisionDb, ...ofNodes.map((one) => one.db)].map(({ $client }) => $client);
  const statements: { client: Database["$client"]; text: string; parameters: never[] }[] = [];
  // As a shard, it has a number.
  const named = new RegExp(`"${table}"|\\b${table}_\\d{6,}\\b`);
  for (const client of clients) {
    // The driver calls `debug` for every statement.
    client.options.debug = (_connection, text, parameters) => {
      if (/^\s*select/i.test(text) && named.test(text))
        statements.push({ client, text, parameters: parameters as never[] });
    };
  }
  try {
    await run();
  } finally {
    for (const { options } of clients) options.debug = false;
  }
  const plans: PlanStep[][] = [];
  for (const { client, text, parameters } of statements) {
    const [row] = await client.unsafe(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, parameters);
    plans.push(stepsOf(row!["QUERY PLAN"][0].Plan));
  }
  return plans;
}

/** A server's part of a table and of its indexes is named after them, with a number. */
const shardNumber = /_\d{6,}$/;

/**
 * Counts the shards that a statement reaches on a cluster, at most, in any of its parts: Citus sends a part after the
 * other. 0 if the coordinator needs no other server.
 */
export async function countShards(
  { $client }: Database,
  text: string,
  parameters: readonly unknown[],
): Promise<number> {
  // Citus does not explain every statement with parameters.
  const complete = text.replaceAll(/\$(\d+)/g, (_, number) => literal(parameters[Number(number) - 1]));
  const [row] = await $client.unsafe(`EXPLAIN (FORMAT JSON) ${complete}`);
  return tasksOf(row!["QUERY PLAN"]);
}

/** A parameter as the driver gives it, as a literal of any type. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (Array.isArray(value)) return literal(`{${value.map((one) => JSON.stringify(one)).join(",")}}`);
  const written = typeof value === "string" ? value : JSON.stringify(value);
  return `'${(value instanceof Date ? value.toISOString() : written).replaceAll("'", "''")}'`;
}

/** Finds the part with most tasks, of which each is for a shard. The parts are nested in many ways. */
function tasksOf(part: unknown): number {
  if (typeof part !== "object" || part === null) return 0;
  const tasks: unknown = Reflect.get(part, "Task Count");
  return Math.max(Number(tasks ?? 0), ...Object.values(part).map(tasksOf));
}

function stepsOf(node: Node): PlanStep[] {
  const query = node["Distributed Query"];
  if (query !== undefined)
    return query.Job.Tasks.flatMap((task) => task["Remote Plan"].flat()).flatMap(({ Plan }) => stepsOf(Plan));
  const all = node.Plans ?? [];
  // On a shard, each FROM also asks whether the shard is still there.
  const Plans = all.filter((plan) => !JSON.stringify(plan.Plans ?? []).includes('"pg_dist_placement"'));
  if (Plans.length < all.length && node["Node Type"] === "Result") return Plans.flatMap(stepsOf);
  const { "Actual Rows": returned, "Actual Loops": loops } = node;
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const step = {
    type: node["Node Type"],
    index: node["Index Name"]?.replace(shardNumber, ""),
    rows: (returned + removed) * loops,
  };
  return [step, ...Plans.flatMap(stepsOf)];
}
