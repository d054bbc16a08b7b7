import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "./app-router.ts";
import { type ProcedureMiddleware, proceduresOf } from "./procedures.ts";
import { restRoutes } from "./rest.ts";
import { streamedValue } from "./stream.ts";
import { fromReplica, publicProcedure, router, userProcedure } from "./trpc.ts";

/** The documented endpoints. A new endpoint starts with a row here. */
const documented = `
  GET    /api/me                                            me.get
  GET    /api/events                                        events.list
  GET    /api/events/:id                                    events.get
  GET    /api/events/feed                                   events.feed
  GET    /api/events/stream                                 events.stream
  GET    /api/keys                                          keys.list
  POST   /api/keys                                          keys.create
  DELETE /api/keys/:id                                      keys.revoke
  GET    /api/webhook-endpoints                             webhookEndpoints.list
  POST   /api/webhook-endpoints                             webhookEndpoints.create
  PATCH  /api/webhook-endpoints/:id                         webhookEndpoints.update
  DELETE /api/webhook-endpoints/:id                         webhookEndpoints.delete
  POST   /api/webhook-endpoints/:id/rotate-secret           webhookEndpoints.rotateSecret
  POST   /api/webhook-endpoints/:id/test                    webhookEndpoints.test
  GET    /api/webhook-deliveries                            webhookEndpoints.deliveries.list
  GET    /api/webhook-deliveries/:id                        webhookEndpoints.deliveries.get
  POST   /api/webhook-deliveries/:id/redeliver              webhookEndpoints.deliveries.redeliver
  GET    /api/organizations                                 organizations.list
  GET    /api/organizations/:id                             organizations.get
  POST   /api/organizations                                 organizations.create
  PATCH  /api/organizations/:id                             organizations.update
  DELETE /api/organizations/:id                             organizations.delete
  GET    /api/organizations/:organizationId/members         organizations.members.list
  DELETE /api/organizations/members/:membershipId           organizations.members.remove
  PATCH  /api/organizations/members/:id                     organizations.members.updateRole
  GET    /api/organizations/:organizationId/invitations     organizations.invitations.list
  GET    /api/organizations/invitations/:id                 organizations.invitations.get
  POST   /api/organizations/:organizationId/invitations     organizations.invitations.create
  POST   /api/organizations/invitations/:id/accept          organizations.invitations.accept
  DELETE /api/organizations/invitations/:invitationId       organizations.invitations.revoke
  GET    /api/organizations/:organizationId/subscription    organizations.subscription.get
  GET    /api/organizations/:id/settings                    organizations.settings.get
  PATCH  /api/organizations/:id/settings                    organizations.settings.update
  GET    /api/organizations/:id/audit                       organizations.audit.list
  GET    /api/banking/institutions                          banking.institutions.list
  POST   /api/banking/link                                  banking.link.create
  GET    /api/banking/connections                           banking.connections.list
  POST   /api/banking/connect                               banking.connections.connect
  POST   /api/banking/disconnect                            banking.connections.disconnect
  POST   /api/banking/consent                               banking.connections.updateConsent
  GET    /api/banking/connections/health                    banking.connections.health
  POST   /api/banking/reconfirm                             banking.connections.reconfirm
  POST   /api/banking/sync                                  banking.connections.sync
  GET    /api/banking/accounts                              banking.accounts.list
  GET    /api/banking/accounts/:id                          banking.accounts.get
  POST   /api/banking/accounts/:id/merge                    banking.accounts.merge
  GET    /api/banking/transactions                          banking.transactions.list
  GET    /api/banking/reports/balances                      banking.reports.balances
  GET    /api/banking/reports/cashflow                      banking.reports.cashflow
  GET    /api/banking/transactions/:id                      banking.transactions.get
  PATCH  /api/banking/transactions/:id                      banking.transactions.update
  GET    /api/banking/syncs                                 banking.syncs.list
  GET    /api/banking/quarantine                            banking.quarantine.list
  POST   /api/banking/quarantine/:id/resolve                banking.quarantine.resolve
  GET    /api/cards                                         cards.list
  POST   /api/cards                                         cards.create
  GET    /api/cards/:id                                     cards.get
  PATCH  /api/cards/:id                                     cards.update
  PATCH  /api/cards/status                                  cards.updateStatus
  POST   /api/cards/:id/reveal                              cards.reveal
  GET    /api/cards/cardholder                              cards.cardholder.get
  PATCH  /api/cards/cardholder                              cards.cardholder.update
  GET    /api/cards/merchant-categories                     cards.merchantCategories.list
  GET    /api/cards/policies                                cards.policies.list
  POST   /api/cards/policies                                cards.policies.create
  PATCH  /api/cards/policies/:id                            cards.policies.update
  POST   /api/cards/policies/check                          cards.policies.check
  POST   /api/cards/policies/backtest                       cards.policies.backtest
  GET    /api/cards/reports/spending                        cards.reports.spending
  GET    /api/cards/transactions                            cards.transactions.list
  GET    /api/cards/transactions/:id/decision               cards.transactions.explain
  POST   /api/sandbox/cards/authorize                       sandbox.cards.authorize
  POST   /api/sandbox/cards/increment                       sandbox.cards.increment
  POST   /api/sandbox/cards/reverse                         sandbox.cards.reverse
  POST   /api/sandbox/cards/clear                           sandbox.cards.clear
  POST   /api/sandbox/cards/expire                          sandbox.cards.expire
  POST   /api/sandbox/cards/refund                          sandbox.cards.refund
  GET    /api/billing/plans                                 billing.plans.list
  POST   /api/billing/checkout                              billing.checkout
  POST   /api/billing/portal                                billing.portal
  POST   /api/billing/cancel                                billing.cancel
  POST   /api/billing/resume                                billing.resume
  POST   /api/billing/sync                                  billing.sync
  GET    /api/billing/events                                billing.events.list
  POST   /api/billing/events/replay                         billing.events.replay
  POST   /api/sandbox/billing/advance                       sandbox.billing.advance
  POST   /api/sandbox/billing/replace-card                  sandbox.billing.replaceCard
  POST   /api/sandbox/banking/add-transaction               sandbox.banking.addTransaction
  POST   /api/sandbox/banking/post-transaction              sandbox.banking.postTransaction
  POST   /api/sandbox/banking/change-transaction            sandbox.banking.changeTransaction
  POST   /api/sandbox/banking/remove-transaction            sandbox.banking.removeTransaction
  POST   /api/sandbox/banking/revoke-consent                sandbox.banking.revokeConsent
  POST   /api/sandbox/banking/expire-consent                sandbox.banking.expireConsent
  POST   /api/sandbox/banking/require-reauthorization       sandbox.banking.requireReauthorization
  POST   /api/sandbox/banking/repair-consent                sandbox.banking.repairConsent
  POST   /api/sandbox/banking/set-fault                     sandbox.banking.setFault
  POST   /api/sandbox/banking/clear-faults                  sandbox.banking.clearFaults
`;

/** Procedures without a REST address, each with the reason. */
const withoutAddress: Record<string, string> = {};

const procedures = [...proceduresOf(appRouter)];
const everyProcedure = describe.each(procedures);
/** The middleware that each builder puts before that of its procedures. The last of a procedure calls its resolver. */
const kinds = [userProcedure.query(() => null), publicProcedure.query(() => null)].map((any) =>
  proceduresOf(router({ any })).get("any")!.middlewares.slice(0, -1),
);
const source = import.meta.dirname;
const packages = join(source, "../..");
const repository = join(packages, "..");

describe("the router", () => {
  it("has exactly the documented addresses", () => {
    const rows = documented
      .trim()
      .split("\n")
      .map((row) => row.trim().replaceAll(/\s+/g, " "));
    const routes = restRoutes(appRouter).map(
      ({ method, path, procedure }) => `${method} ${path} ${procedure}`,
    );
    const missing = routes.filter((route) => !rows.includes(route));
    expect(missing, "Add a row per endpoint to `documented` in endpoints.test.ts").toEqual([]);
    expect(routes.toSorted()).toEqual(rows.toSorted());
  });
});

describe("the sources", () => {
  const sources = globSync("{packages/*,packages/providers/*,apps/*}/src/**/*.ts", {
    cwd: repository,
  }).filter((file) => !file.endsWith(".test.ts"));
  const filesWith = (pattern: RegExp) =>
    sources.filter((file) => pattern.test(readFileSync(join(repository, file), "utf8")));

  it("compose procedures in app-router.ts only", () => {
    expect(filesWith(/\brouter\(/)).toEqual(["packages/router/src/app-router.ts"]);
  });

  it("read tRPC's private fields in procedures.ts only", () => {
    expect(filesWith(/\b_def\b/)).toEqual(["packages/router/src/procedures.ts"]);
  });
});

describe("the replica", () => {
  it("serves only reports, and lists that can be long", () => {
    const reading = procedures
      .map(([, procedure]) => procedure)
      .filter(({ middlewares }) => middlewares.includes(fromReplica as ProcedureMiddleware));
    expect(reading.map(({ name }) => name).toSorted()).toEqual([
      "banking.accounts.list",
      "banking.reports.balances",
      "banking.reports.cashflow",
      "banking.syncs.list",
      "banking.transactions.list",
      "cards.reports.spending",
      "cards.transactions.list",
      "events.feed",
      "events.list",
      "organizations.audit.list",
    ]);
    expect(new Set(reading.map(({ type }) => type))).toEqual(new Set(["query"]));
  });
});

everyProcedure("%s", (path, { type, meta, inputs, output, middlewares, call }) => {
  it("has a REST address and a summary, or a reason not to", () => {
    if (path in withoutAddress) return expect(meta?.rest).toBeUndefined();
    expect(meta?.rest).toBeDefined();
    expect(meta?.summary).toMatch(/^[A-Z].*\.$/);
  });

  it("has one input contract and one output contract", () => {
    expect(type === "subscription").toBe(streamedValue(output!) !== undefined);
    expect(inputs).toHaveLength(1);
    expect(output).toBeDefined();
  });

  it("checks in order: authentication, input, output, authorization", () => {
    // Middleware that ends the chain early, such as an idempotent replay, still passes the output contract.
    const kind = kinds.find((first) =>
      first.every((middleware, index) => middlewares[index] === middleware),
    )!;
    const own = middlewares.slice(kind.length);
    expect(own.map(({ _type = "other" }) => _type).slice(0, 2)).toEqual(["input", "output"]);
    expect(own.slice(2).filter(({ _type }) => _type !== undefined)).toEqual([]);
  });

  it("accepts only strict inputs with bounded strings and lists", () => {
    const schemas = inputs.map((input) => z.toJSONSchema(input, { io: "input", unrepresentable: "any" }));
    expect(schemas.flatMap((schema) => laxities(schema as JsonSchema, "input"))).toEqual([]);
  });

  it("is defined in the file of the same name", async () => {
    const [name = "", ...folders] = path.split(".").toReversed();
    // `webhookEndpoints` is `webhook-endpoints`.
    const slice = join(source, ...folders.toReversed().map(kebabCase));
    const file = existsSync(`${slice}.ts`) ? `${slice}.ts` : join(slice, "index.ts");
    const module = (await import(pathToFileURL(file).href)) as Record<string, object>;
    expect(Object.entries(module[folders[0] ?? ""] ?? {})).toContainEqual([name, call]);
  });

  it("is the title of a test", () => {
    expect(testTitles()).toContain(path);
  });
});

const kebabCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns where an input contract allows unknown fields, or strings and lists without a maximum. */
function laxities(schema: JsonSchema, where: string): string[] {
  const { type, properties = {}, items, anyOf = [], $defs = {} } = schema;
  const isBounded = "maxLength" in schema || "enum" in schema || "const" in schema || "format" in schema;
  const isRecord = "propertyNames" in schema;
  return [
    ...(type === "object" && schema.additionalProperties !== false && !isRecord
      ? [`${where} takes unknown fields`]
      : []),
    ...(type === "string" && !isBounded ? [`${where} has no maximum length`] : []),
    ...(type === "array" && !("maxItems" in schema) ? [`${where} takes a list without a maximum`] : []),
    ...Object.entries({ ...properties, ...$defs }).flatMap(([name, field]) =>
      laxities(field, `${where}.${name}`),
    ),
    ...[...anyOf, ...(items ? [items] : [])].flatMap((part) => laxities(part, where)),
  ];
}

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  $defs?: Record<string, JsonSchema>;
  additionalProperties?: unknown;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

function testTitles(): string[] {
  const tests = globSync(["*/src/**/*.test.ts", "providers/*/src/**/*.test.ts"], { cwd: packages }).map(
    (file) => readFileSync(join(packages, file), "utf8"),
  );
  return tests.flatMap((text) =>
    [...text.matchAll(/^\s*describe\("([^"]+)"/gm)].map(([, title = ""]) => title),
  );
}
