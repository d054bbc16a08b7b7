import { day, hour } from "@purser/core/testing";
import { bankSyncs } from "@purser/db";
import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { completeLink } from "../link/service/hosted-links.ts";
import type { AuthorizedConsent } from "../ports.ts";
import { type ScriptedTeam, bankAccount, createScriptedTeam } from "../testing/scripted-bank.ts";

const address = "192.0.2.7";
const everything = ["accounts", "balances", "transactions"];

let team: ScriptedTeam;
/** The addresses of users with which the bank's accounts were read. */
let addresses: (string | undefined)[];

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());
beforeEach(async () => {
  addresses = [];
  await team.begin({
    granted: everything,
    consentStatus: async () => authorized,
    reconfirm: async () => authorized,
    accounts: async ({ personAddress }) => {
      addresses.push(personAddress);
      return [bankAccount()];
    },
  });
  await team.purser.drain();
  addresses = [];
});

const inTime = (ms: number) => new Date(team.purser.clock.now().getTime() + ms);
const authorized: AuthorizedConsent = {
  status: "authorized",
  expiresAt: null,
  reconfirmBy: new Date("2026-06-01T00:00:00Z"),
};

/** The API, as the owner calls it in a browser. */
const banking = () => {
  const { purser, owner } = team;
  return purser.as({ ...owner, credential: "bearer" }, { address }).banking;
};
const target = () => ({ teamId: team.teamId, connectionId: team.connectionId });

/** The bank refuses to be read until the owner acts. */
async function needOwner(): Promise<void> {
  team.script.consentStatus = async () => ({ status: "reauthorization_required" });
  expect(await team.sync()).toBe("REAUTHORIZATION_REQUIRED");
  await team.purser.drain();
  team.script.consentStatus = async () => authorized;
}

const extendFor = (ms: number) =>
  banking().connections.updateConsent({ ...target(), scopes: everything, expiresAt: inTime(ms) });

async function expire(): Promise<void> {
  await extendFor(hour);
  team.purser.clock.advance(2 * hour);
}

/** The owner comes back from the bank after renewing the consent there. */
async function comeBack(): Promise<void> {
  const { url } = await banking().link.create(target());
  const query = new URLSearchParams({ consent: "first" });
  await completeLink(team.purser.platform, url.split("/").at(-1)!, query, address);
}

describe("a user who is present", () => {
  it.each([
    [
      "connects a consent again that needed them",
      needOwner,
      () =>
        banking().connections.connect({
          teamId: team.teamId,
          provider: "sandbox",
          providerId: "a-bank",
          consentId: "first",
        }),
      2,
    ],
    ["confirms a consent that needed them", needOwner, () => banking().connections.reconfirm(target()), 1],
    ["extends a consent that had expired", expire, () => extendFor(30 * day), 1],
    [
      "reopens a consent that had ended",
      async () => {
        team.script.reopen = async ({ consentId }) => ({
          consentId,
          token: "a token",
          institution: { id: "a-bank", name: "A Bank", country: "GB", logoUrl: null },
          scopes: everything,
          expiresAt: null,
          isLimit: true,
        });
        await banking().connections.disconnect(target());
      },
      () => extendFor(30 * day),
      2,
    ],
    ["returns from the bank with a consent that needed them", needOwner, comeBack, 1],
    ["returns from the bank with a consent that had expired", expire, comeBack, 2],
  ])("%s, and lifts the bank's limit", async (_what, arrange, act, reads) => {
    await arrange();
    await act();
    await team.purser.drain();
    expect(addresses).toEqual(Array.from({ length: reads }, () => address));
    const { db } = team.purser;
    const ofTeam = eq(bankSyncs.organizationId, team.teamId);
    const [last] = await db.select().from(bankSyncs).where(ofTeam).orderBy(desc(bankSyncs.id)).limit(1);
    expect(last).toMatchObject({ status: "SUCCEEDED", isAttended: true });
  });
});
