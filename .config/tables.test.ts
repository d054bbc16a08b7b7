import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(`${root}/${file}`, "utf8");

/** The owner of each file of packages/db/src/schema: only the owner's sources name its tables. */
const owners: Record<string, string> = {
  "bank-ledger.ts": "banking",
  "bank-syncs.ts": "banking",
  "banking.ts": "banking",
  "billing.ts": "billing",
  "card-reveals.ts": "cards",
  "card-spending.ts": "cards",
  "cards.ts": "cards",
  "events.ts": "events",
  "identity.ts": "identity",
  "organizations.ts": "organizations",
  "platform.ts": "platform",
  "sandbox-banking.ts": "banking",
  "sandbox-billing.ts": "billing",
  "webhook-endpoints.ts": "events",
};

/** A source that names tables of another owner, and why. Paths are without the folder of the package. */
const exceptions: Record<string, { tables: string[]; why: string }> = {
  "platform/events/rows.ts": {
    tables: ["events"],
    why: "every area records its events in the transaction of their change; reading them is for events",
  },
  "events/store.ts": {
    tables: ["organizations"],
    why: "old events are found by the primary key, which begins with the organization",
  },
};

interface Table {
  owner: string | undefined;
  /** The exported constant. */
  name: string;
  sqlName: string;
}

const tables: Table[] = globSync("packages/db/src/schema/*.ts", { cwd: root }).flatMap((file) =>
  [...read(file).matchAll(/export const (\w+) = pgTable\(\s*"(\w+)"/g)].map(
    ([, name = "", sqlName = ""]) => ({ owner: owners[basename(file)], name, sqlName }),
  ),
);

const sources = globSync("{packages,apps}/**/*.ts", {
  cwd: root,
  exclude: (path) => /^(node_modules|dist|test|testing|fake)$/.test(basename(path)),
}).filter((file) => !/^packages\/db\/|\.test(-d)?\.ts$/.test(file));

/** `packages/cards/src/store.ts` is `cards/store.ts`. */
const placeOf = (file: string) => file.replace(/^packages\//, "").replace(/\/src\//, "/");

/** The tables that a source imports or names in SQL. */
function tablesIn(text: string): Table[] {
  const code = text.replaceAll(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gs, "");
  const imports = [...code.matchAll(/import \{([^}]*)\} from "@purser\/db"/g)].map(([, names = ""]) => names);
  const imported = new Set(
    imports
      .join(",")
      .replaceAll(/ as \w+/g, "")
      .match(/\w+/g),
  );
  const sql = new Set(
    [...code.matchAll(/\b(?:from|join|into|update)\s+"?(\w+)"?/gi)].map(([, name]) => name),
  );
  return tables.filter(({ name, sqlName }) => imported.has(name) || sql.has(sqlName));
}

const foreign = sources.flatMap((file) => {
  const place = placeOf(file);
  const named = tablesIn(read(file)).filter(({ owner }) => owner !== place.split("/")[0]);
  return named.map(({ name }) => ({ place, name }));
});

it("every table has an owner", () => {
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.filter(({ owner }) => owner === undefined)).toEqual([]);
});

it("only the owner of a table names it; others call a function of the owner", () => {
  expect(foreign.filter(({ place, name }) => !exceptions[place]?.tables.includes(name))).toEqual([]);
});

it("every exception is needed", () => {
  const stale = Object.entries(exceptions).flatMap(([place, { tables: names }]) =>
    names.filter((name) => !foreign.some((one) => one.place === place && one.name === name)),
  );
  expect(stale).toEqual([]);
});

it.each([
  ['import { type Executor, users } from "@purser/db";', ["users"]],
  ['import {\n  cards as accounts,\n  users,\n} from "@purser/db";', ["cards", "users"]],
  ["sql`INSERT INTO sign_in_attempts AS attempts`", ["signInAttempts"]],
  ["// from users", []],
  ['import { users } from "./users.ts";', []],
])("finds the tables in %j", (text, expected) => {
  expect(
    tablesIn(text)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(expected);
});

it("docs/operations.md says how long the rows of each table stay", () => {
  const [, section = ""] = /^## Retention$(.*?)^## /ms.exec(read("docs/operations.md")) ?? [];
  expect(tables.filter(({ sqlName }) => !section.includes(`\`${sqlName}\``))).toEqual([]);
});
