import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

/** A sample repository of empty modules. A test fills some of them with imports and runs the rules on all. */
const sample = mkdtempSync(join(tmpdir(), "purser-imports-"));
afterAll(() => rmSync(sample, { recursive: true, force: true }));

const packages = [
  "core",
  "db",
  "platform",
  "identity",
  "organizations",
  "banking",
  "cards",
  "billing",
  ...["plaid", "stripe", "paddle", "polar"].map((vendor) => `providers/${vendor}`),
  "router",
  "service",
  "client",
  "testing",
  "vendor-contract",
];
const libraries = ["zod", "drizzle-orm", "stripe", "pg-boss", "nodemailer", "vitest", "left-pad"];
const undeclared = new Set(["left-pad", "vitest"]);

const modules = [
  ...packages.map((name) => `packages/${name}/src/index`),
  ...packages.filter(isVendor).map((name) => `packages/${name}/src/provider`),
  ...["core/src/wire", "platform/src/jobs/index", "platform/src/settings/index"].map(inPackages),
  ...["contract", "rules", "store", "service", "ports", "members/contract"].map(inOrganizations),
  ...["sandbox/index", "ports", "service", "service.test"].map((name) => `packages/cards/src/${name}`),
  ...["settings", "fake/index"].map((name) => `packages/providers/stripe/src/${name}`),
  ...["trpc", "resource", "rest", "cards/policies"].map((name) => `packages/router/src/${name}`),
  "apps/cli/src/main",
  "apps/console/src/main",
  "apps/server/src/main",
];

function isVendor(name: string) {
  return name.startsWith("providers/");
}

function inPackages(name: string) {
  return `packages/${name}`;
}

function inOrganizations(name: string) {
  return inPackages(`organizations/src/${name}`);
}

/** A package, and a package that it must not import: the next one up, or one on the same level. */
const climbs: [from: string, to: string][] = [
  ["core", "db"],
  ["db", "platform"],
  ["platform", "identity"],
  ["identity", "organizations"],
  ["organizations", "banking"],
  ["banking", "cards"],
  ["cards", "billing"],
  ["billing", "banking"],
  ["events", "router"],
  ["router", "service"],
  ["service", "testing"],
  ["client", "router"],
  ["vendor-contract", "core"],
];

type Breach = [rule: string, module: string, statement: string];

const breaches: Breach[] = [
  ...climbs.map(([from, to]): Breach => [
    `${from}-points-down`,
    `packages/${from}/src/index`,
    `import type {} from "@purser/${to}"`,
  ]),
  ["vendors-point-down", "packages/providers/plaid/src/index", 'import type {} from "@purser/db"'],
  ["vendors-point-down", "packages/providers/plaid/src/index", 'import type {} from "@purser/router"'],
  ["vendors-point-down", "packages/providers/polar/src/index", 'import type {} from "@purser/paddle"'],
  ["core-stands-alone", "packages/core/src/index", 'import "node:fs"'],
  ["client-stands-alone", "packages/client/src/index", 'import "@purser/core"'],
  [
    "nothing-imports-an-application",
    "packages/service/src/index",
    'import type {} from "../../../apps/server/src/main.ts"',
  ],
  ["applications-do-not-import-each-other", "apps/cli/src/main", 'import "../../server/src/main.ts"'],
  ["console-knows-the-client-alone", "apps/console/src/main", 'import type {} from "@purser/core"'],
  ["by-name-not-by-path", "packages/db/src/index", 'import "../../core/src/index.ts"'],
  ["by-name-not-by-path", "packages/providers/plaid/src/index", 'import "../../stripe/src/settings.ts"'],
  [
    "vendors-are-loaded-lazily",
    "packages/service/src/index",
    'const a = await import("@purser/stripe/adapter")',
  ],
  ["vendors-are-loaded-lazily", "apps/server/src/main", 'import "@purser/plaid/adapter"'],
  ["providers-stay-light", "packages/providers/stripe/src/settings", 'import "stripe"'],
  ["providers-stay-light", "packages/providers/stripe/src/provider", 'import "./index.ts"'],
  ["sandbox-is-loaded-lazily", "packages/cards/src/service", 'const s = await import("./sandbox/index.ts")'],
  ["contract-is-only-schemas", inOrganizations("contract"), 'import type {} from "./store.ts"'],
  ["rules-are-pure", inOrganizations("rules"), 'import "node:crypto"'],
  ["rules-are-pure", inOrganizations("rules"), 'import "@purser/platform"'],
  ["sql-belongs-to-stores", inOrganizations("service"), 'import { sql } from "drizzle-orm"'],
  ["sql-belongs-to-stores", "packages/identity/src/index", 'import { sql } from "drizzle-orm"'],
  ["tables-belong-to-stores", inOrganizations("service"), 'import { organizations } from "@purser/db"'],
  ["tables-belong-to-stores", "packages/router/src/trpc", 'import { organizations } from "@purser/db"'],
  ["store-is-below-services", inOrganizations("store"), 'import "./service.ts"'],
  ["router-only-routes", "packages/router/src/cards/policies", 'import type {} from "@purser/db"'],
  ["router-only-routes", "packages/router/src/cards/policies", 'import "../rest.ts"'],
  ["pg-boss-belongs-to-the-queue", "packages/platform/src/index", 'import { PgBoss } from "pg-boss"'],
  ["nodemailer-belongs-to-mail", "packages/platform/src/index", 'import nodemailer from "nodemailer"'],
  ["declared-dependencies-only", "packages/cards/src/service", 'import "left-pad"'],
  ["unresolvable", "packages/router/src/trpc", 'export * from "./nowhere.ts"'],
  ["sources-without-development-dependencies", "packages/cards/src/service", 'import "vitest"'],
  ["no-tests-in-sources", "packages/cards/src/service", 'import "./service.test.ts"'],
  ["no-tests-in-sources", "packages/providers/stripe/src/index", 'import type {} from "./fake/index.ts"'],
  ["no-circular", "packages/cards/src/ports", 'import type {} from "./service.ts"'],
];

describe("the import rules", () => {
  // A circle is reported once, at one of its modules.
  const otherHalf: Breach = ["no-circular", "packages/cards/src/service", 'import type {} from "./ports.ts"'];
  const found = violations(textsOf([...breaches, otherHalf]));

  it.each(breaches)("%s catches %s.ts with %s", (rule, module) => {
    const same = breaches.filter((breach) => breach[0] === rule && breach[1] === module);
    const caught = found.filter((violation) => violation === `${rule}: ${module}.ts`);
    expect(caught.length).toBeGreaterThanOrEqual(same.length);
  });

  it("are all broken here, so each is known to work", () => {
    const { forbidden } = createRequire(import.meta.url)("../.dependency-cruiser.cjs") as {
      forbidden: { name: string }[];
    };
    expect(new Set(breaches.map(([rule]) => rule))).toEqual(new Set(forbidden.map(({ name }) => name)));
  });

  it("let pass what the architecture shows", () => {
    const passing = violations({
      "packages/core/src/index": 'import { z } from "zod"; import { randomUUID } from "node:crypto";',
      "packages/db/src/index": 'import "@purser/core"; import "drizzle-orm";',
      "packages/platform/src/jobs/index": 'import { PgBoss } from "pg-boss"; import "@purser/db";',
      [inOrganizations("contract")]: 'import { z } from "zod"; import "./members/contract.ts";',
      [inOrganizations("rules")]: 'import type { P } from "@purser/platform"; import "./contract.ts";',
      [inOrganizations("store")]:
        'import "drizzle-orm"; import "@purser/db"; import type { R } from "./rules.ts";',
      [inOrganizations("service")]:
        'import "./rules.ts"; import "./store.ts"; import "./ports.ts"; import type { D } from "@purser/db"; import "@purser/platform";',
      "packages/cards/src/service": 'import "@purser/organizations"; import type {} from "./ports.ts";',
      "packages/cards/src/service.test":
        'import { it } from "vitest"; import "@purser/testing"; import { sql } from "drizzle-orm";',
      "packages/cards/src/sandbox/index": 'import "../ports.ts";',
      "packages/providers/stripe/src/settings":
        'import { z } from "zod"; import "@purser/platform/settings"; import type { S } from "./index.ts";',
      "packages/providers/stripe/src/provider":
        'import "./settings.ts"; const a = () => import("./index.ts");',
      "packages/providers/stripe/src/index": 'import "stripe"; import "@purser/cards/ports";',
      "packages/providers/stripe/src/fake/index":
        'import "@purser/cards/ports"; import type {} from "stripe";',
      "packages/router/src/cards/policies":
        'import { z } from "zod"; import "@purser/cards"; import "../trpc.ts"; import "../resource.ts";',
      "packages/router/src/trpc":
        'import type { D } from "@purser/db"; import { findMembership } from "@purser/organizations";',
      "packages/service/src/index":
        'import "@purser/router"; const p = await import("@purser/stripe"); const s = await import("@purser/cards/sandbox");',
      "packages/client/src/index": 'import "@purser/core/wire";',
      "apps/server/src/main": 'import "@purser/service";',
    });
    expect(passing).toEqual([]);
  });
});

/** Each module with all its breaches. */
function textsOf(list: Breach[]): Record<string, string> {
  const byModule = Map.groupBy(list, ([, module]) => module);
  return Object.fromEntries(
    [...byModule].map(([module, own]) => [module, own.map(([, , statement]) => `${statement};\n`).join("")]),
  );
}

/** What the rules report when these modules have this text and all others are empty. */
function violations(texts: Record<string, string>): string[] {
  build(texts);
  const cruiser = resolve(import.meta.dirname, "../node_modules/.bin/depcruise");
  const config = resolve(import.meta.dirname, "../.dependency-cruiser.cjs");
  const options = ["--config", config, "--output-type", "json", "packages", "apps"];
  const { stdout, stderr } = spawnSync(cruiser, options, { cwd: sample, encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  const { summary } = JSON.parse(stdout) as Result;
  return summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
}

interface Result {
  summary: { violations: { from: string; rule: { name: string } }[] };
}

function build(texts: Record<string, string>): void {
  rmSync(sample, { recursive: true });
  for (const name of libraries) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
    write(`node_modules/${name}/index.js`, "");
  }
  mkdirSync(join(sample, "node_modules/@purser"));
  for (const name of packages) {
    write(`packages/${name}/package.json`, manifestOf(`@purser/${basename(name)}`, isVendor(name)));
    symlinkSync(join(sample, "packages", name), join(sample, "node_modules/@purser", basename(name)));
  }
  for (const name of ["cli", "server"]) write(`apps/${name}/package.json`, manifestOf(`@purser/${name}`));
  for (const name of new Set([...modules, ...Object.keys(texts)])) {
    write(`${name}.ts`, texts[name] ?? "export {};");
  }
}

/** Every package declares every other, so only the rules decide which imports pass. */
function manifestOf(name: string, isOfVendor = false): string {
  const declared = [
    ...packages.map((other) => `@purser/${basename(other)}`),
    ...libraries.filter((library) => !undeclared.has(library)),
  ];
  return JSON.stringify({
    name,
    exports: {
      ".": isOfVendor ? "./src/provider.ts" : "./src/index.ts",
      "./adapter": "./src/index.ts",
      "./wire": "./src/wire.ts",
      "./ports": "./src/ports.ts",
      "./sandbox": "./src/sandbox/index.ts",
      "./settings": `./src/settings${name === "@purser/platform" ? "/index" : ""}.ts`,
    },
    dependencies: Object.fromEntries(declared.map((dependency) => [dependency, "1.0.0"])),
    devDependencies: { vitest: "1.0.0" },
  });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(sample, path)), { recursive: true });
  writeFileSync(join(sample, path), text);
}
