import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { is } from "drizzle-orm";
import { PgTable, getTableConfig } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import * as schema from "./index.ts";

/** The properties that allow partitioning or distributing the tables by organization. */

const key = "organization_id";
const tables = Object.values(schema)
  .filter((value) => is(value, PgTable))
  .map((table) => getTableConfig(table));
const tenants = tables.filter(({ columns }) => columns.some(({ name }) => name === key));
const isTenant = (name: string) => tenants.some((table) => table.name === name);

/** The tables that belong to no organization, each with the key that distinguishes its rows. */
const others: Record<string, string> = {
  organizations: "its id is every other table's organization_id",
  users: "a person may be in many organizations",
  sessions: "of a person",
  accounts: "of a person",
  verifications: "of a person, who need not be one yet",
  api_keys: "of a person",
  two_factors: "of a person",
  sign_in_attempts: "of an account or an address",
  idempotency_keys: "of a person or a key of an organization",
  rate_limits: "of a person or an address",
  event_eras: "of the server that the database lives on",
  webhook_events: "of a provider: its organization is known only once it is applied",
  webhook_deliveries: "of a provider",
  billing_catalogues: "of a provider",
  billing_unattributed: "of a provider, until an administrator assigns it to an organization",
};

/**
 * Unique across organizations, because nothing else is known when the row is looked up. A database that
 * checks uniqueness within an organization only can use plain indexes for these: our generated values are unique anyway.
 */
const lookUps: Record<string, string> = {
  memberships_id_key: "callers pass only the membership's id; made by us",
  invitations_id_key: "the invited person has only the id; made by us",
  organization_keys_id_key: "callers pass only the key's id; made by us",
  webhook_endpoints_id_key: "callers pass only the endpoint's id; made by us",
  event_deliveries_id_key: "callers pass only the delivery's id; made by us",
  organization_keys_hash_key: "a request presents only the key; 256 random bits, made by us",
  bank_links_id_key: "the browser returns from the bank with only the id; made by us",
  cards_reference_key: "the network's requests have only the issuer's reference; made by the issuer",
  subscriptions_id_key: "webhooks and callers pass only the subscription's id; made by the provider",
  billing_checkouts_id_key: "the browser returns from the payment page with only the id; made by us",
  billing_checkouts_reference_key: "a payment page has only the provider's reference; made by the provider",
  local_subscriptions_id_key: "calls to the built-in provider pass only the subscription's id; made by us",
  local_checkouts_reference_key: "the address of its page; made by us",
  local_portals_token_key: "the address of its page; made by us",
  sandbox_bank_links_id_key: "the address of its page; made by us",
};

describe("the schema", () => {
  it("has a reason for each table that belongs to no organization", () => {
    const without = tables.filter(({ name }) => !isTenant(name)).map(({ name }) => name);
    expect(without.toSorted()).toEqual(Object.keys(others).toSorted());
  });

  it("has no central counter: no sequence, serial or identity", () => {
    const columns = tables.flatMap(({ columns: all }) => all);
    expect(columns.filter((column) => /serial/.test(column.getSQLType()))).toEqual([]);
    expect(columns.filter(({ generatedIdentity }) => generatedIdentity !== undefined)).toEqual([]);
    const folder = join(import.meta.dirname, "../../migrations");
    const migrations = globSync("*.sql", { cwd: folder });
    expect(migrations.length).toBeGreaterThan(0);
    const counting = /\b(small|big)?serial\b|\bsequence\b|\bas identity\b|\bnextval\b/i;
    expect(migrations.filter((file) => counting.test(readFileSync(join(folder, file), "utf8")))).toEqual([]);
  });

  it("has a reason for each unique index across organizations", () => {
    const across = tenants.flatMap(uniqueNames);
    expect(across.toSorted()).toEqual(Object.keys(lookUps).toSorted());
  });
});

/** The unique indexes and constraints of a table that do not include its organization. */
function uniqueNames({ indexes, uniqueConstraints }: (typeof tables)[number]): string[] {
  const names = (columns: readonly object[]) => columns.map((column) => Reflect.get(column, "name"));
  return [
    ...indexes
      .filter(({ config }) => config.unique && !names(config.columns).includes(key))
      .map(({ config }) => config.name ?? ""),
    ...uniqueConstraints.filter(({ columns }) => !names(columns).includes(key)).map(({ name }) => name ?? ""),
  ];
}

describe.each(tenants.map((table) => [table.name, table] as const))("%s", (_, table) => {
  it("has its organization first in its primary key, and never null", () => {
    const [primary] = table.primaryKeys;
    expect(primary?.columns[0]?.name).toBe(key);
    expect(table.columns.find(({ name }) => name === key)?.notNull).toBe(true);
  });

  it("references no row of another organization", () => {
    for (const foreign of table.foreignKeys) {
      const { columns, foreignColumns, foreignTable } = foreign.reference();
      const { name } = getTableConfig(foreignTable);
      const position = columns.findIndex((column) => column.name === key);
      if (isTenant(name)) expect(foreignColumns[position]?.name).toBe(key);
      else if (name === "organizations") expect([position, foreignColumns[0]?.name]).toEqual([0, "id"]);
      // Users are shared by all organizations: a distributed database has them on each of its servers.
      else expect(name).toBe("users");
    }
  });
});
