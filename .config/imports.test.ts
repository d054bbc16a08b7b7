import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

/** A house of empty modules, in which each rule is broken once, or kept by a hair's breadth. */
const house = mkdtempSync(join(tmpdir(), "purser-imports-"));
afterAll(() => rmSync(house, { recursive: true, force: true }));

const libraries = [
  "zod",
  "drizzle-orm",
  "hono",
  "stripe",
  "pg-boss",
  "nodemailer",
  "better-auth",
  "vitest",
  "left-pad",
];
const modules = [
  "../apps/cli/src/main",
  "../apps/server/src/main",
  "client/src/index",
  "core/src/index",
  "core/src/wire",
  "db/src/index",
  ...["index", "trpc", "router", "rest", "meta", "resource", "problems", "demo", "testing/index"].map(
    inRouter,
  ),
  ...["platform/audit", "platform/context", "platform/providers/stripe"].map(inRouter),
  ...["index", "contract", "rules", "store", "service", "router", "membership"].map(inArea),
  ...["members/contract", "members/store", "members/service"].map(inArea),
  ...[
    "cards/index",
    "cards/contract",
    "cards/service",
    "cards/issuers/stripe",
    "cards/issuers/stripe/settings",
    "service/providers",
  ].map(inRouter),
];

function inRouter(name: string) {
  return `router/src/${name}`;
}

function inArea(name: string) {
  return inRouter(`organizations/${name}`);
}

type Breach = [rule: string, module: string, statement: string];

const broken: Breach[] = [
  ["core-stands-alone", "core/src/index", 'import "../../db/src/index.ts"'],
  ["core-stands-alone", "core/src/index", 'import "node:fs"'],
  ["db-knows-core-only", "db/src/index", 'import type {} from "../../router/src/index.ts"'],
  [
    "router-knows-core-and-db-only",
    "router/src/index",
    'import type {} from "../../../apps/server/src/main.ts"',
  ],
  ["client-stands-alone", "client/src/index", 'import type {} from "../../core/src/index.ts"'],
  ["nothing-imports-an-application", "router/src/index", 'import "../../../apps/server/src/main.ts"'],
  ["applications-do-not-import-each-other", "../apps/cli/src/main", 'import "../../server/src/main.ts"'],
  ["by-name-not-by-path", "db/src/index", 'import "../../core/src/index.ts"'],
  ["http-belongs-to-the-server", "router/src/rest", 'import { Hono } from "hono"'],
  ["contract-is-only-schemas", "router/src/organizations/contract", 'import type {} from "./store.ts"'],
  ["rules-are-pure", "router/src/organizations/rules", 'import "node:crypto"'],
  ["sql-belongs-to-stores", "router/src/organizations/service", 'import { sql } from "drizzle-orm"'],
  [
    "tables-belong-to-stores",
    "router/src/organizations/service",
    'import { db } from "../../../db/src/index.ts"',
  ],
  ["store-is-below-services", "router/src/organizations/store", 'import "./members/service.ts"'],
  ["areas-are-below-the-router", "router/src/organizations/service", 'import type {} from "../trpc.ts"'],
  ["router-only-routes", "router/src/organizations/router", 'import "./store.ts"'],
  [
    "area-through-its-index",
    "router/src/cards/service",
    'import type {} from "../organizations/members/store.ts"',
  ],
  ["area-from-outside-through-its-index", "router/src/problems", 'import "./organizations/service.ts"'],
  ["platform-is-below-areas", "router/src/platform/audit", 'import "../organizations/index.ts"'],
  ["vendor-belongs-to-its-adapter", "router/src/cards/service", 'const a = await import("stripe")'],
  ["adapters-are-loaded-lazily", "router/src/cards/service", 'import "./issuers/stripe.ts"'],
  [
    "adapters-are-registered-by-the-service",
    "router/src/cards/service",
    'const a = await import("./issuers/stripe.ts")',
  ],
  ["adapters-are-loaded-lazily", "router/src/platform/audit", 'import "./providers/stripe.ts"'],
  [
    "adapter-settings-stay-light",
    "router/src/cards/issuers/stripe/settings",
    'import { Stripe } from "stripe"',
  ],
  ["better-auth-belongs-to-identity", "router/src/trpc", 'import type {} from "better-auth"'],
  ["pg-boss-belongs-to-platform", "router/src/organizations/service", 'import { PgBoss } from "pg-boss"'],
  ["nodemailer-belongs-to-mail", "router/src/organizations/service", 'import nodemailer from "nodemailer"'],
  ["declared-dependencies-only", "router/src/trpc", 'import "left-pad"'],
  ["unresolvable", "router/src/trpc", 'export * from "./nowhere.ts"'],
  ["sources-without-development-dependencies", "db/src/index", 'import "vitest"'],
  ["no-tests-in-sources", "router/src/trpc", 'import type {} from "./testing/index.ts"'],
  ["no-cycles", "router/src/rest", 'import { t } from "./trpc.ts"'],
];

describe("the import rules", () => {
  const found = violations(textsOf([["no-cycles", "router/src/trpc", 'import "./rest.ts"'], ...broken]));

  it.each(broken)("%s catches %s.ts with %s", (rule, module) => {
    expect(found).toContain(`${rule}: ${join("packages", module)}.ts`);
  });

  it("are all broken here, so that each is known to work", () => {
    const { forbidden } = createRequire(import.meta.url)("./dependency-cruiser.cjs") as {
      forbidden: { name: string }[];
    };
    expect(new Set(broken.map(([rule]) => rule))).toEqual(new Set(forbidden.map(({ name }) => name)));
  });

  it("let pass what the architecture shows", () => {
    const kept = violations({
      "router/src/router":
        'import { a } from "./organizations/router.ts"; import { router } from "./trpc.ts";',
      "router/src/trpc":
        'import { b } from "./organizations/membership.ts"; import type { M } from "./meta.ts";',
      "router/src/rest": 'import type { M } from "./meta.ts";',
      "router/src/organizations/router":
        'import { z } from "zod"; import "../trpc.ts"; import "./contract.ts"; import "./service.ts"; import "./index.ts"; import "../resource.ts";',
      "router/src/organizations/service":
        'import "./rules.ts"; import "./store.ts"; import "./members/store.ts"; import type { C } from "../platform/context.ts"; import "../platform/audit.ts";',
      "router/src/organizations/store": 'import "drizzle-orm"; import type { M } from "./membership.ts";',
      "router/src/organizations/rules": 'import type { M } from "./membership.ts"; import "./contract.ts";',
      "router/src/organizations/contract": 'import { z } from "zod"; import "./members/contract.ts";',
      "router/src/cards/contract": 'import { z } from "zod"; import "../organizations/contract.ts";',
      "router/src/cards/service": 'import "../organizations/index.ts";',
      "router/src/service/providers":
        'import "../cards/index.ts"; const adapter = await import("../cards/issuers/stripe.ts");',
      "router/src/cards/issuers/stripe":
        'import Stripe from "stripe"; import "../../platform/providers/stripe.ts";',
      "router/src/platform/providers/stripe": 'import Stripe from "stripe";',
      "router/src/platform/audit": 'import type { C } from "./context.ts"; import { PgBoss } from "pg-boss";',
      "router/src/trpc.test":
        'import { it } from "vitest"; import "./testing/index.ts"; import { sql } from "drizzle-orm";',
    });
    expect(kept).toEqual([]);
  });
});

/** Each module with all that it does wrong. */
function textsOf(breaches: Breach[]): Record<string, string> {
  const byModule = Map.groupBy(breaches, ([, module]) => module);
  return Object.fromEntries(
    [...byModule].map(([module, list]) => [
      module,
      list.map(([, , statement]) => `${statement};\n`).join(""),
    ]),
  );
}

/** What the rules find when these modules have this text, and all others none. */
function violations(texts: Record<string, string>): string[] {
  build(texts);
  const cruiser = resolve(import.meta.dirname, "../node_modules/.bin/depcruise");
  const config = join(import.meta.dirname, "dependency-cruiser.cjs");
  const options = ["--config", config, "--output-type", "json", "packages", "apps"];
  const { stdout, stderr } = spawnSync(cruiser, options, { cwd: house, encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  const { summary } = JSON.parse(stdout) as Result;
  return summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
}

interface Result {
  summary: { violations: { from: string; rule: { name: string } }[] };
}

function build(texts: Record<string, string>): void {
  rmSync(house, { recursive: true });
  for (const name of libraries) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
    write(`node_modules/${name}/index.js`, "");
  }
  const declared = libraries
    .filter((name) => name !== "left-pad" && name !== "vitest")
    .map((name) => [name, "1.0.0"]);
  write("packages/router/package.json", JSON.stringify({ dependencies: Object.fromEntries(declared) }));
  write("packages/db/package.json", JSON.stringify({ devDependencies: { vitest: "1.0.0" } }));
  for (const name of new Set([...modules, ...Object.keys(texts)])) {
    write(`packages/${name}.ts`, texts[name] ?? "export {};");
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(house, path)), { recursive: true });
  writeFileSync(join(house, path), text);
}
