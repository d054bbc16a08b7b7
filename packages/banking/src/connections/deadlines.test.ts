import { day } from "@purser/core/testing";
import { handlerOf } from "@purser/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bankingJobs } from "../job-definitions.ts";
import { type ScriptedTeam, createScriptedTeam } from "../testing/scripted-bank.ts";
import { noExpiry } from "./rules.ts";
import { warnOfDisconnection } from "./service/remind.ts";

let team: ScriptedTeam;
const start = Date.parse("2026-03-02T09:00:00Z");
const onDay = (days: number) => new Date(start + days * day);

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());
/** A consent that ends on day 90. */
beforeEach(async () => {
  team.purser.clock.set(onDay(0));
  await team.begin({ granted: ["accounts", "transactions"], consentStatus: consentUntil(90) });
  await team.purser.drain();
});
/** The job serves every team. */
afterEach(async () => {
  const { teamId, connectionId } = team;
  await team.purser.as(team.owner).banking.connections.disconnect({ teamId, connectionId });
});

const consentUntil = (end: number | null, confirmation?: number) => async () => ({
  status: "authorized" as const,
  expiresAt: end === null ? null : onDay(end),
  reconfirmBy: confirmation === undefined ? null : onDay(confirmation),
});

async function syncOn(days: number): Promise<void> {
  team.purser.clock.set(onDay(days));
  expect(await team.sync()).toBe("ok");
}

/** Runs the reminder job on each of these days. Returns the subjects of its mails. */
async function remindOn(...days: number[]): Promise<string[]> {
  const { purser } = team;
  purser.mails.length = 0;
  for (const one of days) {
    purser.clock.set(onDay(one));
    await handlerOf(purser.handlers, bankingJobs.remind)(null, { id: "", attempt: 1, last: true });
    await purser.drain();
  }
  return purser.mails.map(({ subject }) => subject);
}

const before = (what: "Confirm" | "Renew", days: number) =>
  `${what} your consent at A Bank before ${onDay(days).toISOString().slice(0, 10)}`;
const thrice = (subject: string) => [subject, subject, subject];

/** The provider warns that it will disconnect the consent on this day, which the owners get a mail about. */
async function warn(days: number): Promise<void> {
  const { purser, teamId: organizationId, connectionId: id } = team;
  const warning = { consentId: "first", endsAt: onDay(days) };
  await purser.db.transaction((transaction) =>
    warnOfDisconnection(purser.platform, transaction, { organizationId, id }, warning),
  );
  await purser.drain();
}

async function consentExpiresAt(): Promise<Date> {
  const { connections } = team.purser.as(team.owner).banking;
  const [health] = await connections.health({ teamId: team.teamId });
  return health!.consentExpiresAt;
}

describe("the end of a consent", () => {
  it("is announced after a confirmation that nobody gave", async () => {
    team.script.consentStatus = consentUntil(90, 20);
    await syncOn(1);
    expect(await remindOn(6, 13, 19)).toEqual(thrice(before("Confirm", 20)));
    expect(await remindOn(21, 76, 77, 83, 84, 89, 89.5)).toEqual(thrice(before("Renew", 90)));
  });

  it("is announced at once if less than 14 days remain after a confirmation that nobody gave", async () => {
    team.script.consentStatus = consentUntil(90, 85);
    await syncOn(1);
    expect(await remindOn(71, 78, 84)).toEqual(thrice(before("Confirm", 85)));
    expect(await remindOn(86, 89)).toEqual([before("Renew", 90), before("Renew", 90)]);
  });

  it("is announced after a disconnection that the provider warned of and that did not happen", async () => {
    await warn(7);
    expect(await remindOn(0, 6)).toEqual([before("Renew", 7)]);
    await syncOn(6);
    expect(await consentExpiresAt()).toEqual(onDay(7));
    await syncOn(8);
    expect(await consentExpiresAt()).toEqual(onDay(90));
    expect(await remindOn(76, 83, 89)).toEqual(thrice(before("Renew", 90)));
  });

  it("is the new one after a renewal elsewhere, which ends the provider's warning", async () => {
    await warn(7);
    await syncOn(1);
    expect(await consentExpiresAt()).toEqual(onDay(7));
    team.script.consentStatus = consentUntil(180);
    await syncOn(2);
    expect(await consentExpiresAt()).toEqual(onDay(180));
    expect(await remindOn(6, 76, 90)).toEqual([]);
    expect(await remindOn(166, 173, 179)).toEqual(thrice(before("Renew", 180)));
  });

  it("is not announced by a warning from before the renewal, which arrives again after it", async () => {
    const { mails } = team.purser;
    await warn(7);
    team.purser.clock.set(onDay(0.5));
    await team.renew("first");
    await team.purser.drain();
    mails.length = 0;
    await warn(7);
    expect(mails).toEqual([]);
    expect(await consentExpiresAt()).toEqual(onDay(90));
    team.purser.clock.set(onDay(2));
    await warn(9);
    expect(mails.map(({ subject }) => subject)).toEqual([before("Renew", 9)]);
    expect(await consentExpiresAt()).toEqual(onDay(9));
  });

  it("is never once the bank sets none any more", async () => {
    await syncOn(1);
    expect(await consentExpiresAt()).toEqual(onDay(90));
    team.script.consentStatus = consentUntil(null);
    await syncOn(2);
    expect(await consentExpiresAt()).toEqual(noExpiry);
    expect(await remindOn(76, 83, 89)).toEqual([]);
    await syncOn(91);
  });

  it("is the team's own if the bank sets one only later, or none any more", async () => {
    team.script.consentStatus = consentUntil(null);
    await syncOn(1);
    const { teamId, connectionId, script } = team;
    const change = { teamId, connectionId, scopes: ["accounts", "transactions"], expiresAt: onDay(30) };
    await team.purser.as(team.owner).banking.connections.updateConsent(change);
    script.consentStatus = consentUntil(90);
    await syncOn(2);
    expect(await consentExpiresAt()).toEqual(onDay(30));
    script.consentStatus = consentUntil(null);
    await syncOn(3);
    expect(await consentExpiresAt()).toEqual(onDay(30));
  });
});
