import { bankConnections, cardTransactions, inboxStates } from "@purser/db";
import { registeredMetrics } from "@purser/service";
import { type Scene, createScene } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestService, createTestService } from "../testing/service.ts";

let service: TestService;
let scene: Scene;

beforeAll(async () => {
  service = await createTestService();
  scene = await createScene(service.purser, "sandbox.cards.authorize");
  await sync();
});
afterAll(() => service.close());

async function metrics(): Promise<string> {
  return (await service.app.request("http://localhost:3000/metrics")).text();
}

/** The value of one series, or undefined if it does not exist. */
async function value(series: string): Promise<number | undefined> {
  const lines = (await metrics()).split("\n");
  const line = lines.find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

/** Reads a gauge until it is as expected. A busy machine may not read all of them within the time of a scrape. */
const expectGauge = (series: string) => expect.poll(() => value(series));

/** Returns by how much a series grows during an action. */
async function growth(series: string, work: () => Promise<unknown>): Promise<number> {
  const before = (await value(series)) ?? 0;
  await work();
  return ((await value(series)) ?? 0) - before;
}

async function sync(): Promise<unknown> {
  const { banking } = service.purser.as(scene.people.owner);
  return banking.connections.sync({ teamId: scene.organizationId, connectionId: scene.connectionId });
}

describe("the meter of banking", () => {
  it("measures synchronizations by provider and outcome, and counts the rows they change", async () => {
    const count = 'purser_bank_sync_duration_seconds_count{provider="sandbox",outcome="succeeded"}';
    const added = 'purser_bank_rows_total{provider="sandbox",change="added"}';
    const place = { teamId: scene.organizationId, connectionId: scene.connectionId };
    const purchase = { accountId: scene.accountId, amount: 300, type: "DEBIT", notify: false } as const;
    await service.purser.as(scene.people.owner).sandbox.banking.addTransaction({ ...place, ...purchase });
    expect(await growth(added, async () => expect(await growth(count, sync)).toBe(1))).toBe(1);
    await expectGauge('purser_bank_connections{provider="sandbox",condition="healthy"}').toBe(1);
  });

  it("reports why synchronizations fail, and which connections need attention", async () => {
    const fault = { teamId: scene.organizationId, connectionId: scene.connectionId, times: 9 } as const;
    const { sandbox } = service.purser.as(scene.people.owner);
    await sandbox.banking.setFault({ ...fault, fault: "outage" });
    const failed = 'purser_bank_sync_duration_seconds_count{provider="sandbox",outcome="provider_error"}';
    expect(await growth(failed, () => sync().catch(() => undefined))).toBe(1);
    await expectGauge('purser_bank_connections{provider="sandbox",condition="failing"}').toBe(1);
    await service.purser.db.update(bankConnections).set({ needsReauthorization: "REAUTHORIZATION_REQUIRED" });
    await expectGauge('purser_bank_connections{provider="sandbox",condition="needs_person"}').toBe(1);
  });
});

describe("the meter of cards", () => {
  const merchant = { name: "Corner Shop", category: "5411", country: "GB" };
  const buy = (amount: number) => () =>
    service.purser
      .as(scene.people.owner)
      .sandbox.cards.authorize({ cardId: scene.cardId, amount, merchant, channel: "in_store" });

  it("counts decisions by reason, and measures how long a network waits", async () => {
    const approved = 'purser_card_decisions_total{issuer="sandbox",outcome="approved",reason="none"}';
    expect(await growth(approved, buy(100))).toBe(1);
    const declined =
      'purser_card_decisions_total{issuer="sandbox",outcome="declined",reason="transaction_limit_exceeded"}';
    const waited = 'purser_card_decision_duration_seconds_count{issuer="sandbox"}';
    expect(await growth(waited, async () => expect(await growth(declined, buy(200_000))).toBe(1))).toBe(1);
  });

  it("counts later network messages, and the holds that are open or overdue", async () => {
    const holds = async (expiresAt: Date) => {
      // Overdue holds depend on the database's clock, and the test's clock is frozen.
      await service.purser.db.update(cardTransactions).set({ expiresAt });
      const [open, overdue] = ["open", "overdue"].map((state) => `purser_card_holds{state="${state}"}`);
      return [await value(open!), await value(overdue!)];
    };
    const inAnHour = new Date(Date.now() + 3_600_000);
    let before = Number.NaN;
    await expect.poll(async () => (before = (await holds(inAnHour))[0] ?? Number.NaN)).toBeGreaterThan(0);
    const { id: transactionId } = await buy(250)();
    await expect.poll(() => holds(inAnHour)).toEqual([before + 1, undefined]);
    await expect.poll(() => holds(new Date(0))).toEqual([undefined, before + 1]);
    const cleared = 'purser_card_messages_total{issuer="sandbox",kind="clearing",outcome="applied"}';
    const { cards } = service.purser.as(scene.people.owner).sandbox;
    expect(await growth(cleared, () => cards.clear({ transactionId }))).toBe(1);
    await expect.poll(() => holds(inAnHour)).toEqual([before, undefined]);
  });
});

describe("the meter of billing", () => {
  it("counts subscriptions by status, measures synchronizations, and counts received and applied events", async () => {
    const end = '{area="billing",provider="local",outcome=';
    const billingSyncs =
      'purser_billing_synchronize_duration_seconds_count{provider="local",outcome="applied"}';
    const work = () => createScene(service.purser, "billing.events.replay");
    expect(await growth(billingSyncs, work)).toBeGreaterThan(0);
    await expectGauge('purser_subscriptions{provider="local",status="active"}').toBe(1);
    expect(await value(`purser_webhooks_received_total${end}"accepted"}`)).toBeGreaterThan(0);
    expect(await value(`purser_webhooks_applied_total${end}"applied"}`)).toBeGreaterThan(0);
    await service.purser.db.update(inboxStates).set({ status: "DEAD" });
    await expectGauge('purser_webhooks{area="billing",provider="local",status="dead"}').toBeGreaterThan(0);
  });
});

describe("the meter of the platform", () => {
  it("measures jobs, and reports the age of the oldest waiting one", async () => {
    const invitation = { organizationId: scene.organizationId, email: "new@example.com" };
    const { invitations } = service.purser.as(scene.people.owner).organizations;
    await invitations.create({ ...invitation, role: "MEMBER" });
    await service.purser.db.$client`update pgboss.job set start_after = now() - interval '10 minutes'`;
    await expectGauge('purser_job_delay_seconds{job_name="mail.send"}').toBeGreaterThan(599);
    const sent = 'purser_job_duration_seconds_count{job_name="mail.send",outcome="completed"}';
    expect(await growth(sent, () => service.purser.drain())).toBeGreaterThan(0);
    expect(await value('purser_job_delay_seconds{job_name="mail.send"}')).toBeUndefined();
  });

  it("counts replays of idempotency keys", async () => {
    const create = () =>
      service.purser
        .as(scene.people.owner, { idempotencyKey: "again" })
        .organizations.create({ name: "Once" });
    const series = 'purser_idempotent_replays_total{procedure="organizations.create"}';
    expect(await growth(series, create)).toBe(0);
    expect(await growth(series, create)).toBe(1);
  });

  it("counts rate-limited requests", async () => {
    const limited = await createTestService({
      settings: { requestsPerCaller: 1, authAttemptsPerAddress: 1 },
    });
    const signIn = () =>
      limited.app.request("http://localhost:3000/api/auth/sign-in/email", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "nobody@example.com", password: "not the password" }),
      });
    expect([(await signIn()).status, (await signIn()).status]).toEqual([401, 429]);
    const text = await (await limited.app.request("http://localhost:3000/metrics")).text();
    expect(text).toContain('purser_limited_requests_total{limit="caller"} 1');
    await limited.close();
  });

  it("reports whether the database responds", async () => {
    await expectGauge("purser_database_up").toBe(1);
  });

  it("puts no organization, person or record into a label", async () => {
    const labels = new Set(registeredMetrics.flatMap((metric) => [...metric.labels]));
    expect([...labels].toSorted()).toEqual([
      "area",
      "change",
      "condition",
      "issuer",
      "job_name",
      "kind",
      "limit",
      "outcome",
      "procedure",
      "provider",
      "reason",
      "stage",
      "state",
      "status",
    ]);
    const series = (await metrics()).split("\n").filter((line) => line.startsWith("purser_"));
    expect(series.filter((line) => /(org|user|card|bcn|ctx)_\d|@/.test(line))).toEqual([]);
  });
});
