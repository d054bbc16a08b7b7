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
  "cards/src/policies/backtest-contract.ts":
    "the contract of a use case, too long for the contract of policies",
  "events/src/feed/position.ts": "the place of an event in the feed, and the format of cursors",
  "events/src/feed/require-position.ts": "checks the cursor of an input, for the feed and the stream",
  "events/src/feed/retention.ts": "how long events and cursors are kept, for the feed and its hourly tasks",
  "events/src/listener.ts": "hears of new events, for the process",
  "events/src/sending/address.ts": "which IP addresses are public",
  "events/src/sending/attempt.ts": "one attempt of a delivery",
  "events/src/sending/body.ts": "the body of a webhook",
  "events/src/sending/claim.ts": "reads the feed for endpoints, and claims those that are due",
  "events/src/sending/client.ts": "the HTTP client of webhooks",
  "events/src/sending/disable-endpoint.ts": "disables an endpoint that fails",
  "events/src/sending/overlong-waits.ts": "shortens waits that a clock which stepped back has lengthened",
  "events/src/sending/recorder.ts": "stores the results of attempts together",
  "events/src/sending/resolver.ts": "looks up host names, for the HTTP client",
  "events/src/sending/sender.ts": "finds what is to be sent, for the worker",
  "events/src/sending/session.ts": "sends to one endpoint",
  "events/src/sending/slow-endpoints.ts": "remembers which endpoints answer slowly",
  "events/src/stored-event.ts": "the event of a row, for the feed, the stream and webhooks",
  "events/src/stream/access.ts": "checks the access of a caller again and again",
  "events/src/stream/entry.ts": "an event of the feed in memory, for all streams",
  "events/src/stream/event-stream.ts": "the events that one caller follows",
  "events/src/stream/event-streams.ts": "opens the streams of a process, within their limits",
  "events/src/stream/tail.ts": "the latest events of a feed in memory, for all streams",
  "events/src/visibility.ts": "which events a caller sees, for the feed and the stream",
  "events/src/webhook-endpoints/secret.ts": "the secrets of an endpoint, for managing it and for signing",
  "events/src/webhook-endpoints/url.ts": "checks the address of an endpoint, for the router",
  "organizations/src/access.ts": "the context of a procedure inside an organization",
  "organizations/src/invitations/revoke.ts":
    "revokes the invitation of a member's address, for removing and transferring",
  "organizations/src/keys/resolve.ts": "the caller that presents a key, for a hook of identity",
};

/** Procedures whose contract and use case another area owns. */
const borrowed: Record<string, string> = {
  "organizations/subscription": "billing/src/subscriptions",
  "sandbox/banking": "banking/src/sandbox/controls",
  "sandbox/billing": "billing/src/sandbox/controls",
  "sandbox/cards": "cards/src/sandbox/controls",
  "webhook-endpoints": "events/src/webhook-endpoints",
  "webhook-endpoints/deliveries": "events/src/webhook-endpoints/deliveries",
};

describe("an area", () => {
  const files = globSync("{organizations,banking,cards,billing,events}/src/**/*.ts", {
    cwd: packages,
  }).filter((file) => !/\/(sandbox|testing)\//.test(file));

  it("holds only the standard files and the named exceptions", () => {
    expect(files.length).toBeGreaterThan(0);
    const others = files.filter((file) => !ordinary.test(file) && !split.test(file) && !(file in named));
    expect(others).toEqual([]);
  });

  it("has no exception that is no longer needed", () => {
    expect(Object.keys(named).filter((file) => !existsSync(join(packages, file)))).toEqual([]);
    const slices = Object.keys(borrowed);
    expect(
      slices.filter(
        (slice) => !existsSync(join(router, `${slice}.ts`)) && !existsSync(join(router, slice, "index.ts")),
      ),
    ).toEqual([]);
  });

  it("has a contract and a service for every slice of procedures", () => {
    const routed = globSync("{organizations,banking,cards,billing,events,webhook-endpoints,sandbox}/*.ts", {
      cwd: router,
    }).map((file) => file.replace(/(\/index)?\.ts$/, ""));
    const folders = routed.map((slice) => borrowed[slice] ?? slice.replace(/^([^/]+)/, "$1/src"));
    const parts = folders.flatMap((folder) => ["contract", "service"].map((part) => join(folder, part)));
    expect(parts.length).toBeGreaterThan(0);
    expect(
      parts.filter((part) => !existsSync(join(packages, `${part}.ts`)) && !existsSync(join(packages, part))),
    ).toEqual([]);
  });
});
