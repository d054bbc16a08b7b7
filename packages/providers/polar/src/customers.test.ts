import { randomUUID } from "node:crypto";
import type { PaymentProvider } from "@purser/billing/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newTeam, buySubscription } from "./fake/buyer.ts";
import { type PolarFake, startPolarFake } from "./fake/index.ts";

let polar: PolarFake;
let provider: PaymentProvider;
beforeAll(async () => {
  polar = await startPolarFake({ clock: testClock() });
  ({ provider } = polar);
});
afterAll(() => polar.stop());

const made = (team: { organizationId: string }) =>
  polar.state.customers.filter(({ external_id: id }) => id === team.organizationId).map(({ id }) => id);

describe("polarPayments.createCustomer", () => {
  it("creates a team customer, whose owner has the address", async () => {
    const team = newTeam();
    const id = await provider.createCustomer(team);
    const customer = { type: "team", external_id: team.organizationId, name: "Acme", email: null };
    expect(polar.state.customers.find((one) => one.id === id)).toMatchObject(customer);
    const members = polar.state.members.filter(({ customer_id: of }) => of === id);
    expect(members).toMatchObject([{ role: "owner", email: "ada@example.com" }]);
  });

  it("finds the existing customer under any team name", async () => {
    const team = newTeam();
    const id = await provider.createCustomer(team);
    const before = polar.requests;
    expect(await provider.createCustomer({ ...team, name: "Acme & Co", email: "bob@example.com" })).toBe(id);
    expect(polar.requests).toBe(before + 1);
  });

  it("creates one customer per organization of the same owner", async () => {
    const teams = [newTeam(), newTeam()];
    const ids = await Promise.all(teams.map((team) => provider.createCustomer(team)));
    expect(teams.flatMap(made)).toEqual(ids);
  });

  it("creates one customer for two concurrent calls", async () => {
    const team = newTeam();
    const ids = await Promise.all([team, team, team].map((same) => provider.createCustomer(same)));
    expect(made(team)).toEqual([...new Set(ids)]);
  });

  it("creates one customer even if the first response is lost", async () => {
    const team = newTeam();
    polar.fail("POST /v1/customers/", "lost");
    await expect(provider.createCustomer(team)).rejects.toMatchObject({ kind: "outage" });
    const id = await provider.createCustomer(team);
    expect(made(team)).toEqual([id]);
  });

  it("throws refused if Polar rejects the input", async () => {
    const call = provider.createCustomer(newTeam({ email: "ada" }));
    await expect(call).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("polarPayments.createPortal", () => {
  const returnUrl = "https://app.example.com/";
  const address = /^https:\/\/sandbox\.polar\.sh\/purser\/portal\?/;

  const open = (subscription: { id: string; customerId: string }) =>
    provider.createPortal({
      ...subscription,
      returnUrl,
      organizationSubscriptionIds: [subscription.id],
    });

  it("admits the team's owner, and links back", async () => {
    const { subscriptionId: id, customerId } = await buySubscription(polar);
    const owner = polar.state.members.find(({ customer_id: of }) => of === customerId)!;
    polar.state.members.unshift({ ...owner, id: randomUUID(), role: "billing_manager" });
    expect(await open({ id, customerId })).toMatch(address);
    const visit = { customer_id: customerId, member_id: owner.id, return_url: returnUrl };
    expect(polar.calls.at(-1)?.body).toEqual(visit);
  });

  it("admits a customer without members, as in Polar's oldest accounts", async () => {
    const { subscriptionId: id, customerId } = await buySubscription(polar);
    const index = polar.state.members.findIndex(({ customer_id: of }) => of === customerId);
    polar.state.members.splice(index, 1);
    expect(await open({ id, customerId })).toMatch(address);
  });

  it.each([randomUUID(), "cus_1"])("throws not_found for the customer %s", async (customerId) => {
    const call = open({ id: randomUUID(), customerId });
    await expect(call).rejects.toMatchObject({ kind: "not_found" });
  });
});
