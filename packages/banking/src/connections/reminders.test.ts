import { day } from "@purser/core/testing";
import { type Person, type TestPurser, createTestPurser, handlerOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bankingJobs } from "../job-definitions.ts";
import { completeLink } from "../link/service/hosted-links.ts";
import { approveLink } from "../sandbox/links.ts";

let purser: TestPurser;
let owner: Person;
let second: Person;
let member: Person;
let teamId: string;
let connectionId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  [owner, second, member] = [await purser.person(), await purser.person(), await purser.person()];
  teamId = await purser.organization(owner, { owners: [second], members: [member] });
  const input = { teamId, provider: "sandbox", providerId: "sprout-bank", consentId: "ada" } as const;
  ({ id: connectionId } = await purser.as(owner).banking.connections.connect(input));
  await purser.drain();
});
afterAll(() => purser.close());

const inDays = (days: number) => new Date(purser.clock.now().getTime() + days * day);
const endAt = (expiresAt: Date) =>
  purser
    .as(owner)
    .banking.connections.updateConsent({ teamId, connectionId, scopes: ["accounts"], expiresAt });

/** Runs the reminder job as the schedule does. Returns the recipients of its mails. */
async function remind(): Promise<string[]> {
  purser.mails.length = 0;
  await handlerOf(purser.handlers, bankingJobs.remind)(null, { id: "", attempt: 1, last: true });
  await purser.drain();
  return purser.mails.map(({ to }) => to).toSorted();
}

const owners = () => [owner.email, second.email].toSorted();

describe("a reminder of a consent that ends", () => {
  it("goes to every owner, and no one else, once each at 14, 7 and 1 days", async () => {
    const expiresAt = inDays(30);
    await endAt(expiresAt);
    for (const days of [14, 7, 1]) {
      purser.clock.set(new Date(expiresAt.getTime() - days * day - 1));
      expect(await remind()).toEqual([]);
      purser.clock.advance(1);
      expect(await remind()).toEqual(owners());
      expect(await remind()).toEqual([]);
    }
    purser.clock.set(expiresAt);
    expect(await remind()).toEqual([]);
  });

  it("names the bank, the organization and the date", async () => {
    const expiresAt = inDays(10);
    await endAt(expiresAt);
    await remind();
    const [mail] = purser.mails;
    const on = expiresAt.toISOString().slice(0, 10);
    expect(mail!.subject).toBe(`Renew your consent at Sprout Bank before ${on}`);
    expect(mail!.text).toContain(`Acme reads its accounts at Sprout Bank ends on ${on}`);
    const types = ["bank_connection.consent_expiring" as const];
    const [event] = await purser.as(owner).events.list({ organizationId: teamId, types });
    const [connection] = await purser.as(owner).banking.connections.list({ teamId });
    expect(event).toMatchObject({
      createdAt: purser.clock.now(),
      actor: null,
      subject: { type: "bank_connection", id: connectionId },
      data: { ...connection, deadline: expiresAt },
    });
  });

  it("is a single mail if several were missed", async () => {
    const expiresAt = inDays(30);
    await endAt(expiresAt);
    purser.clock.set(new Date(expiresAt.getTime() - 5 * day));
    expect(await remind()).toEqual(owners());
    expect(await remind()).toEqual([]);
  });

  it("restarts after a renewal, and is not sent for the old date", async () => {
    const expiresAt = inDays(7);
    await endAt(expiresAt);
    expect(await remind()).toEqual(owners());
    await endAt(inDays(90));
    purser.clock.set(new Date(expiresAt.getTime() - day));
    expect(await remind()).toEqual([]);
    await endAt(inDays(14));
    expect(await remind()).toEqual(owners());
  });

  it("is sent once if two processes send reminders concurrently", async () => {
    await endAt(inDays(3));
    purser.mails.length = 0;
    const run = () =>
      handlerOf(purser.handlers, bankingJobs.remind)(null, { id: "", attempt: 1, last: true });
    await Promise.all([run(), run(), run()]);
    await purser.drain();
    expect(purser.mails.map(({ to }) => to).toSorted()).toEqual(owners());
  });

  it("is not sent for a replaced consent", async () => {
    const { banking } = purser.as(owner);
    await endAt(inDays(15));
    const { url } = await banking.link.create({ teamId, connectionId });
    const linkId = url.split("/").at(-1)!;
    const choice = { customerName: "ada", accounts: [0], transactions: true, days: 90 };
    const back = new URL((await approveLink(purser.platform, linkId, choice))!);
    const target = new URL(await completeLink(purser.platform, linkId, back.searchParams));
    const consentId = target.searchParams.get("consentId")!;
    await banking.connections.connect({ teamId, provider: "sandbox", providerId: "sprout-bank", consentId });
    purser.clock.advance(2 * day);
    expect(await remind()).toEqual([]);
    purser.clock.advance(75 * day);
    expect(await remind()).toEqual(owners());
  });

  it("is not sent for a disconnected connection", async () => {
    await endAt(inDays(3));
    await purser.as(owner).banking.connections.disconnect({ teamId, connectionId });
    expect(await remind()).toEqual([]);
  });
});
