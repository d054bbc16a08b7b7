import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AuditEntry } from "@purser/organizations/audit";
import { describe, expect, it } from "vitest";
import { appRouter } from "./app-router.ts";
import { proceduresOf } from "./procedures.ts";
import { mutationsWithoutAudit } from "./testing/recorded-events.ts";

const mutations = [...proceduresOf(appRouter)].flatMap(([name, { type }]) =>
  type === "mutation" ? [name] : [],
);

describe("the known actions of the audit trail", () => {
  const { knownValues } = AuditEntry.shape.action.meta() as { knownValues: string[] };

  it("have every mutation that writes an entry", () => {
    // Resuming writes one where there is something to resume.
    const audited = mutations.filter((name) => name === "billing.resume" || !(name in mutationsWithoutAudit));
    const procedures = knownValues.filter((name) => mutations.includes(name));
    const missing = audited.filter((name) => !procedures.includes(name));
    expect(
      missing,
      "Add the mutation to `procedures` in packages/organizations/src/audit/contract.ts",
    ).toEqual([]);
    expect(procedures).toEqual(audited.toSorted());
  });

  it("have every action of a job, a provider or an operator", () => {
    const packages = join(import.meta.dirname, "../..");
    const files = globSync("*/src/**/*.ts", { cwd: packages }).filter((file) => !file.endsWith(".test.ts"));
    const written = files.flatMap((file) => {
      const text = readFileSync(join(packages, file), "utf8");
      return [...text.matchAll(/\baction(?::| =) "(\w+\.[\w.]+)"/g)].map(([, name]) => name!);
    });
    const others = knownValues.filter((name) => !mutations.includes(name));
    expect([...new Set(written)].toSorted()).toEqual(others.toSorted());
  });
});
