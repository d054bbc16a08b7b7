import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { registerGauges } from "./gauges.ts";
import { createMetrics } from "./metrics.ts";
import { registerPools } from "./pools.ts";

const read = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");

const { registry } = createMetrics();
registerGauges(registry, undefined as never, undefined as never);
registerPools(registry, undefined as never, undefined as never);
/** Each metric with its labels. */
const metrics = new Map(
  (registry.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[]).map(
    ({ name, labelNames }) => [name, labelNames],
  ),
);
const ours = [...metrics.keys()].filter((name) => /^(purser|http)_/.test(name));

/** The PromQL queries of a text: from a metric's name to the end of the value or line. */
const alerts = read("alerts.yml")
  .split(/^ +- alert: /m)
  .slice(1);
const dashboard = [...read("dashboard.json").matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(
  ([, text]) => JSON.parse(text!) as string,
);
const queries = [...alerts.map((alert) => /expr:([^]*?)\n {8}\w+:/.exec(alert)![1]!), ...dashboard];

const names = (query: string) => query.match(/\b(purser|http|nodejs|process)_[a-z0-9_]+/g) ?? [];
const metricOf = (series: string) =>
  metrics.has(series) ? series : series.replace(/_(bucket|count|sum)$/, "");

/** Whether a selector, such as `refunds_total{outcome!="failed"}`, selects this line of the metrics. */
function isSelected(series: string, selector: string): boolean {
  const [name, labels = ""] = selector.split("{");
  const conditions = [...labels.matchAll(/(\w+)(!?=)("[^"]*")/g)];
  return (
    series.startsWith(`${name}{`) &&
    conditions.every(
      ([, label, operator, value]) => series.includes(`${label}=${value}`) === (operator === "="),
    )
  );
}

describe("docs/operations.md", () => {
  const page = read("operations.md");

  it("lists exactly our metrics, each with its labels", () => {
    const table = [...page.matchAll(/^\| `((?:purser|http)_\w+)` +\| ([\w, ]*?) *\|/gm)];
    const documented = table.map(([, name, labels]) => `${name}: ${labels}`);
    const there = ours.map((name) => `${name}: ${metrics.get(name)!.join(", ")}`);
    expect(documented.toSorted()).toEqual(there.toSorted());
  });

  it("explains what every alert means and what to do", () => {
    const documented = [...page.matchAll(/^\| `(Purser\w+)` +\| .+\| .+\|$/gm)].map(([, name]) => name);
    expect(documented).toEqual(alerts.map((alert) => /^\w+/.exec(alert)![0]));
  });

  it("links to existing headings", () => {
    const titles = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!);
    const headings = new Set(titles.map((title) => title.toLowerCase().replaceAll(" ", "-")));
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.filter((anchor) => !headings.has(anchor!))).toEqual([]);
  });
});

describe("docs/alerts.yml and docs/dashboard.json", () => {
  it("query existing metrics", () => {
    expect(queries.length).toBeGreaterThan(40);
    const queried = queries.flatMap(names);
    expect(queried.filter((series) => !metrics.has(metricOf(series)))).toEqual([]);
  });

  it("query existing labels of these metrics", () => {
    const unknown = queries.flatMap((query) => {
      const known = new Set(names(query).flatMap((series) => metrics.get(metricOf(series)) ?? []));
      for (const own of ["le", "instance", "job"]) known.add(own);
      const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/, */));
      const selected = [...query.matchAll(/([a-z_]+) *(?:=~|!~|!=|=)"/g)].map(([, label]) => label!);
      return [...grouped, ...selected].filter((label) => !known.has(label)).map((label) => [label, query]);
    });
    expect(unknown).toEqual([]);
  });

  it("show every metric of ours", () => {
    const shown = new Set(dashboard.flatMap(names).map(metricOf));
    expect(ours.filter((name) => !shown.has(name))).toEqual([]);
  });

  it("see the first event of each counter, whose series start at 0", async () => {
    const exported = await createMetrics().registry.metrics();
    const initial = exported.split("\n").filter((line) => line.endsWith(" 0"));
    const counters = queries.flatMap((query) => query.match(/(?<=\bincrease\()\w+(\{[^}]*\})?/g) ?? []);
    expect(counters.length).toBeGreaterThan(6);
    expect(counters.filter((counter) => !initial.some((series) => isSelected(series, counter)))).toEqual([]);
  });

  it("compare with an earlier time across gaps, such as a restart", () => {
    const atOneInstant = queries.filter((query) => /(?<!\])\s+offset\b/.test(query));
    expect(queries.filter((query) => query.includes("offset")).length).toBeGreaterThan(2);
    expect(atOneInstant).toEqual([]);
  });

  it("have balanced brackets", () => {
    const open = (query: string, opening: string, closing: string) =>
      query.split(opening).length - query.split(closing).length;
    const unbalanced = queries.filter((query) => open(query, "(", ")") || open(query, "{", "}"));
    expect(unbalanced).toEqual([]);
  });
});
