import { existsSync, globSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const packages = resolve(import.meta.dirname, "../packages");
const router = join(packages, "router/src");

/** The files that every area can have: the standard files, and those that the service registers. */
const ordinary =
  /(^|\/)(contract|rules|store|service|ports|mail|index|context|hooks|jobs|job-definitions|metrics|webhooks)\.ts$|\.test\.ts$/;
const split = /(^|\/)(rules|store|service)\/[a-z-]+\.ts$/;
const named: Record<string, string> = {
  "banking/src/call-provider.ts": "translates the errors of a bank provider, for every use case",
  "banking/src/person.ts": "the user who is present while a bank is read, for connecting and syncing",
  "banking/src/transactions/lexemes.ts":
    "the format of the search index, for the stores that write and read it",
  "billing/src/providers.ts": "translates the errors of a payment provider, for every use case",
  "cards/src/issuers.ts": "chooses the issuer of a new card, and translates the errors of an issuer",
  "cards/src/network.ts": "the shared code of the issuers' adapters",
  "cards/src/policies/backtest.ts": "a separate use case",
  "cards/src/policies/backtest-contract.ts": "the contract of that use case",
  "cards/src/policies/check.ts": "a separate use case",
  "organizations/src/access.ts": "the context of a procedure inside an organization",
  "organizations/src/keys/resolve.ts": "the caller that presents a key, for a hook of identity",
  "organizations/src/membership.ts": "the membership check of every access, called by trpc.ts",
  "organizations/src/ownership.ts": "operations on an organization outside a request",
};

/** Procedures whose contract and use case another area owns. */
const borrowed: Record<string, string> = {
  "organizations/subscription": "billing/src/subscriptions",
  "sandbox/banking": "banking/src/sandbox/controls",
  "sandbox/billing": "billing/src/sandbox/controls",
  "sandbox/cards": "cards/src/sandbox/controls",
};

describe("an area", () => {
  const files = globSync("{organizations,banking,cards,billing}/src/**/*.ts", { cwd: packages }).filter(
    (file) => !/\/(sandbox|testing)\//.test(file),
  );

  it("holds only the standard files and the named exceptions", () => {
    expect(files.length).toBeGreaterThan(0);
    const others = files.filter((file) => !ordinary.test(file) && !split.test(file) && !(file in named));
    expect(others).toEqual([]);
  });

  it("has no exception that is no longer needed", () => {
    expect(Object.keys(named).filter((file) => !existsSync(join(packages, file)))).toEqual([]);
    expect(Object.keys(borrowed).filter((file) => !existsSync(join(router, `${file}.ts`)))).toEqual([]);
  });

  it("has a contract and a service for every slice of procedures", () => {
    const routed = globSync("{organizations,banking,cards,billing,sandbox}/*.ts", { cwd: router }).map(
      (file) => file.replace(/(\/index)?\.ts$/, ""),
    );
    const folders = routed.map((slice) => borrowed[slice] ?? slice.replace(/^([^/]+)/, "$1/src"));
    const parts = folders.flatMap((folder) => ["contract", "service"].map((part) => join(folder, part)));
    expect(parts.length).toBeGreaterThan(0);
    expect(
      parts.filter((part) => !existsSync(join(packages, `${part}.ts`)) && !existsSync(join(packages, part))),
    ).toEqual([]);
  });
});
