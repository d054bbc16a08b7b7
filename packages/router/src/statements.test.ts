// @module-tag slow
import * as db from "@purser/db";
import type { Database } from "@purser/db";
import type { Tracer } from "@purser/platform";
import {
  type TestPurser,
  callEverything,
  countShards,
  createTestPurser,
  day,
  distributedDatabaseUrl,
} from "@purser/testing";
import { is, sql } from "drizzle-orm";
import { PgTable, getTableConfig } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const isCluster = distributedDatabaseUrl !== null;

let purser: TestPurser;
/** The distinct statements that all procedures, gauges and jobs sent, on any pool of the process. */
const statements = new Set<string>();
/** The parameters of the first call of each. */
const parametersOf = new Map<string, unknown[]>();

const recordingTracer: Tracer = {
  statement: (text) => (statements.add(text), () => undefined),
  transaction: (run) => run(),
  job: (_name, run) => run(),
};

beforeAll(async () => {
  // With one connection, all calls share one session, and code that needs a second connection hangs.
  purser = await createTestPurser({
    settings: { databasePoolSize: 1, databasePrepare: false },
    // On a cluster, most statements are sent to the nodes, with the names of the shards.
    ...(isCluster && { tracer: recordingTracer }),
  });
  const pools = Object.values(purser.platform).filter(isDatabase);
  for (const { $client } of pools) {
    $client.options.debug = (_, text, parameters) => {
      if (!parametersOf.has(text)) parametersOf.set(text, parameters);
      statements.add(text);
    };
  }
  await callEverything(purser);
  // When the holds have expired, the hourly tasks also add up what is final.
  purser.clock.advance(9 * day);
  for (const job of ["cards.sweep", "housekeeping.purge"]) {
    const { handle } = purser.handlers.find(({ definition }) => definition.name === job)!;
    await handle(null as never, { id: job, attempt: 1, last: true });
  }
  for (const { $client } of pools) $client.options.debug = false;
});
afterAll(() => purser.close());

function isDatabase(value: unknown): value is Database {
  return typeof value === "object" && value !== null && "$client" in value;
}

/** Session state, which is lost between transactions behind a pooler in transaction mode. */
const sessionState = [
  /^\s*(set|reset)\b(?! local\b)/i,
  /\b(un)?listen\b|\bdiscard\b|^\s*(prepare|deallocate|load)\b/i,
  /\bcreate\s+(local\s+|global\s+)?temp(orary)?\b|\binto\s+temp(orary)?\b/i,
  /\bcursor with hold\b/i,
  /\bpg_(try_)?advisory_(un)?lock(_shared|_all)?\b/i,
  /\bset_config\([^)]*,\s*false\s*\)/i,
  /\b(currval|lastval)\b/i,
];

describe("a connection of the pool", () => {
  it.each([
    "SET search_path = other",
    "listen jobs",
    "SELECT pg_advisory_lock(1)",
    "CREATE TEMP TABLE t ()",
    "select set_config('a', 'b', false)",
    "DECLARE past CURSOR WITH HOLD FOR SELECT 1",
  ])("has a pattern for the session state of %j", (text) => {
    expect(sessionState.some((pattern) => pattern.test(text))).toBe(true);
  });

  it("receives no statement with session state, so each transaction can use another connection", () => {
    expect(statements.size).toBeGreaterThan(150);
    expect([...statements].filter((text) => sessionState.some((pattern) => pattern.test(text)))).toEqual([]);
  });

  it("has no session state after all calls", async () => {
    const [state] = await purser.db.execute(sql`
      SELECT (SELECT count(*) FROM pg_prepared_statements) AS statements,
        (SELECT count(*) FROM pg_cursors WHERE is_holdable) AS cursors,
        (SELECT count(*) FROM pg_listening_channels()) AS channels,
        (SELECT count(*) FROM pg_settings WHERE source = 'session') AS settings,
        -- Only this database, because other tests hold locks at the same time.
        (SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
          WHERE locktype = 'advisory' AND datname = current_database()) AS locks,
        (SELECT count(*) FROM pg_class WHERE relpersistence = 't') AS temporary`);
    expect(Object.values(state!)).toEqual(Array(6).fill("0"));
  });
});

const tables = Object.values(db)
  .filter((value) => is(value, PgTable))
  .map((table) => getTableConfig(table));
const tenants = tables
  .filter(({ columns }) => columns.some((column) => column.name === "organization_id"))
  .map(({ name }) => name);

const named = [...tenants, "organizations"].join("|");
const reference = new RegExp(`\\b(from|join|into|update)\\s+"(${named})"(?!\\.)`, "gi");
const comparison =
  /organization_id"? *(=|in \()|= *("?\w+"?\.)?"?organization_id\b|"organizations"\."id" =|into "\w+" \(("?organization_id\b|"id")/gi;

/**
 * Returns true if every tenant table of a statement is restricted to an organization, by a value or by a join with
 * another table. A statement on n tables needs n comparisons, at least one of them with a value.
 */
function namesOrganization(text: string): boolean {
  return (text.match(comparison) ?? []).length >= (text.match(reference) ?? []).length;
}

/** The statements on tenant tables that name no organization, by reason. */
const exceptions: Record<string, RegExp[]> = {
  "look up the organization of an id from a user, a caller or a provider": [
    /from "memberships" where "memberships"\."id" = \$1/,
    /from "invitations" .* where "invitations"\."id" = \$1/,
    /from "webhook_endpoints" where "webhook_endpoints"\."id" = \$1/,
    /from "event_deliveries" where "event_deliveries"\."id" = \$1/,
    /from "organization_keys" where "organization_keys"\."id" = \$1/,
    /from "cards" where \("cards"\."issuer" = \$1 and "cards"\."issuer_reference" = \$2\)/,
    /from "subscriptions" where "subscriptions"\."id" (= \$1|in \(\$1)/,
    /from "billing_checkouts" where "billing_checkouts"\."id" = \$1/,
    /from "local_checkouts" where "local_checkouts"\."reference" = \$1/,
    /from "local_subscriptions" .* where "local_subscriptions"\."id" = \$1/,
  ],
  "list the organizations of a user": [/where "memberships"\."user_id" = \$1/],
  "list all subscriptions of the built-in payment provider": [/where "local_subscriptions"\."id" >= \$1/],
  "find due work of all organizations, in scheduled jobs": [
    /from "bank_syncs" where \("bank_syncs"\."status" (in|=) /,
    /from "bank_connections" where .*"next_sync_at" <= \$/,
    /from "bank_consents" .*least\("bank_consents"\."expires_at".*\) <= \$/,
    /FROM "webhook_endpoints" WHERE due_at <= .* FROM "webhook_endpoints" WHERE leased_until <= /,
    /FROM "webhook_endpoints" AS endpoint WHERE status = 'ENABLED' AND EXISTS/,
    /UPDATE "event_deliveries" SET status = 'FAILED'/,
    /from "bank_links" where "bank_links"\."finished_at" <= \$/,
    /from "bank_links" where \("bank_links"\."expires_at" < \$/,
    /from "bank_transactions" where "bank_transactions"\."search" IS NULL limit/,
    /from "bank_exchanges" where "bank_exchanges"\."exchanged_at" < \$/,
    /from "card_transactions" .*"card_transactions"\."expires_at" <= \$/,
    /from "cards" where \("cards"\."issued_at" is null/,
    /from "cards" left join "card_spending_folds"/,
    /from "subscriptions" where .*"subscriptions"\."current_period_end" <= \$/,
    /from "billing_checkouts" where .*"billing_checkouts"\."created_at" <= \$/,
    /from "local_subscriptions" where "local_subscriptions"\."due_at" <= \$1/,
    /from "outbox_jobs" where \("outbox_jobs"\."name" = ANY/,
  ],
  "count rows of all organizations, for metrics": [
    /FROM "bank_connections" WHERE status = 'ACTIVE' GROUP BY/,
    /FROM "bank_quarantine" WHERE resolution IS NULL GROUP BY/,
    /FROM "card_transactions" WHERE status = 'PENDING' GROUP BY/,
    /FROM "subscriptions" GROUP BY/,
    /FROM "webhook_endpoints" AS endpoint CROSS JOIN LATERAL .* UNION ALL /,
  ],
  "delete expired rows of all organizations": [
    /^delete from "\w+" where \(coalesce\(.* and \(.*\) IN \(SELECT .* LIMIT 5000\)\)$/,
  ],
  "decide on cards of any organization in one batch": [
    /from json_to_recordset\(.* AS query \(issuer text, reference text/,
  ],
};

describe("a statement on a table of tenants", () => {
  it.each([
    ['select from "cards" where "cards"."organization_id" = $1', true],
    ['select "organization_id" from "cards" where "cards"."id" = $1', false],
    ['update "cards" set "status" = $1 where "cards"."id" = $2', false],
    ['select from "cards" join "users" on "users"."id" = "cards"."id" where "organization_id" = $1', true],
    ['select from "cards" join "card_policies" on true where "cards"."organization_id" = $1', false],
    [
      'select from "cards" join "card_policies" on "cards"."organization_id" = "card_policies"."organization_id"',
      false,
    ],
    ['insert into "cards" ("organization_id", "id") values ($1, $2)', true],
    ['delete from "cards"', false],
  ])("is checked for an organization: %s", (text, expected) => {
    expect(namesOrganization(text)).toBe(expected);
  });

  it("names an organization, or is a listed exception", () => {
    const nameless = [...statements].filter((text) => !namesOrganization(text)).map(onOneLine);
    const reasons = Object.values(exceptions).flat();
    expect(nameless.filter((text) => !reasons.some((reason) => reason.test(text)))).toEqual([]);
    // On a cluster, some of these ask the nodes, by the names of their shards.
    if (isCluster) return;
    expect(reasons.filter((reason) => !nameless.some((text) => reason.test(text)))).toEqual([]);
  });

  it("names it by a value in a subquery among its columns, as a distributed database needs to ask one server", () => {
    const compared = [...statements].filter((text) => /"organization_id" = "/.test(columnsOf(text)));
    expect(compared.map(onOneLine)).toEqual([]);
  });

  it("locks rows of one organization, which a distributed database has on one server", () => {
    const locking = [...statements].filter((text) => /\bfor (no key )?(update|share)\b/i.test(text));
    expect(locking.length).toBeGreaterThan(10);
    const nameless = locking.filter((text) => !namesOrganization(text));
    expect(nameless.map(onOneLine)).toEqual([]);
  });

  it("never sets the organization of a row, which would move it to another server", () => {
    const changing = [...statements].filter((text) => /\bset\b/i.test(text));
    expect(changing.length).toBeGreaterThan(30);
    expect(changing.filter((text) => /(\bset|,) "?organization_id"? = /i.test(text)).map(onOneLine)).toEqual(
      [],
    );
  });

  it("resolves conflicts by a key with the organization, which a server can check alone", () => {
    const target = /insert into "(\w+)" .*? on conflict \(([^)]*)\)/gis;
    const targets = [...statements].flatMap((text) => [...text.matchAll(target)]);
    const ofTenants = targets.filter(([, name]) => tenants.includes(name!));
    expect(ofTenants.length).toBeGreaterThan(5);
    expect(ofTenants.filter(([, , key]) => !key!.includes("organization_id")).map(([text]) => text)).toEqual(
      [],
    );
  });

  it("is sent for every tenant table", () => {
    const untouched = tenants.filter((name) => ![...statements].some((text) => text.includes(`"${name}"`)));
    expect(untouched).toEqual([]);
  });
});

describe.skipIf(!isCluster)("a statement on a cluster", () => {
  it("reaches one shard if it names an organization", async () => {
    const reached = new Map<string, number>();
    for (const [text, parameters] of parametersOf) {
      if (!/^\s*(with|select|insert|update|delete)\b/i.test(text)) continue;
      reached.set(text, await countShards(purser.db, text, parameters));
    }
    expect([...reached.values()].filter((shards) => shards === 1).length).toBeGreaterThan(50);
    const spread = [...reached.keys()].filter((text) => reached.get(text)! > 1);
    // Those that look for an organization, or for the work of all.
    expect(spread.length).toBeGreaterThan(20);
    const reasons = Object.values(exceptions).flat();
    const unlisted = spread.map(onOneLine).filter((text) => !reasons.some((reason) => reason.test(text)));
    expect(unlisted).toEqual([]);
  });
});

/** What a SELECT returns: the text before its own FROM, with all subqueries. */
function columnsOf(text: string): string {
  const parts = text.split(/(?=\bfrom\b)/i);
  const upTo = (index: number) => parts.slice(0, index + 1).join("");
  const isClosed = (part: string) => part.split("(").length === part.split(")").length;
  const own = parts.findIndex((_, index) => isClosed(upTo(index)));
  return /^\s*select\b/i.test(text) ? upTo(own) : "";
}

const onOneLine = (text: string) => text.trim().replaceAll(/\s+/g, " ");

describe("a table of tenants", () => {
  /** Tables with a key that is unique across organizations. packages/db explains why. */
  const withLookUps = [
    "bank_links",
    "billing_checkouts",
    "cards",
    "event_deliveries",
    "invitations",
    "local_checkouts",
    "local_portals",
    "local_subscriptions",
    "memberships",
    "organization_keys",
    "sandbox_bank_links",
    "subscriptions",
    "webhook_endpoints",
  ];

  // A cluster has no keys that are unique across organizations.
  it.skipIf(isCluster)(
    "can be partitioned by organization with all keys, except for tables with global look-ups",
    async () => {
      const refused: string[] = [];
      for (const name of tenants) {
        const table = sql.identifier(name);
        await purser.db
          .execute(
            sql`CREATE TABLE pg_temp.parts (LIKE ${table} INCLUDING ALL) PARTITION BY HASH (organization_id)`,
          )
          .then(
            () => purser.db.execute(sql`DROP TABLE pg_temp.parts`),
            () => refused.push(name),
          );
      }
      expect(refused.toSorted()).toEqual(withLookUps);
    },
  );
});
