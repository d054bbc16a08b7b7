import { billingCheckouts } from "@purser/db";
import type { Person } from "@purser/testing";
import { billingScene } from "@purser/testing/billing";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** This provider has one customer per e-mail address. */
const start = () => billingScene("paddle");
let scene: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  scene = await start();
});
afterAll(() => scene.close());

describe("the customer of a checkout at a provider whose customers are addresses", () => {
  it("is who pays: another owner gets another page, which supersedes the first one", async () => {
    const { purser, fake } = scene;
    const [first, second] = [await purser.person(), await purser.person()];
    const teamId = await purser.organization(first, { owners: [second] });
    const [plan] = await purser.as(null).billing.plans.list();
    const offer = { teamId, planId: plan!.id, variantId: plan!.variants[0]!.id };
    const opens = async (person: Person) => {
      const url = await purser.as(person).billing.checkout(offer);
      const transaction = fake.state.transactions.get(new URL(url).searchParams.get("_ptxn")!)!;
      return { url, email: fake.state.customers.get(transaction.customer_id!)!.email };
    };
    const page = await opens(first);
    expect(await opens(first)).toEqual(page);
    expect((await opens(second)).email).toBe(second.email);
    const rows = await purser.db
      .select({ userId: billingCheckouts.userId, status: billingCheckouts.status })
      .from(billingCheckouts)
      .where(eq(billingCheckouts.organizationId, teamId));
    expect(rows).toEqual([
      { userId: first.userId, status: "SUPERSEDED" },
      { userId: second.userId, status: "OPEN" },
    ]);
  });

  it("is the present buyer, even if archived, and not who bought first", async () => {
    const { purser, fake } = scene;
    const [first, second] = [await purser.person(), await purser.person()];
    const teamId = await purser.organization(first, { owners: [second] });
    const [plan] = await purser.as(null).billing.plans.list();
    const [monthly, yearly] = plan!.variants;
    const buys = async (person: Person, variant = monthly!) => {
      await purser.as(person).billing.checkout({ teamId, planId: plan!.id, variantId: variant.id });
      const its = and(eq(billingCheckouts.organizationId, teamId), eq(billingCheckouts.status, "OPEN"));
      const [row] = await purser.db.select().from(billingCheckouts).where(its);
      const { customer_id: id } = fake.state.transactions.get(row!.reference!)!;
      return fake.state.customers.get(id!)!;
    };
    const customer = await buys(first);
    expect(customer.email).toBe(first.email);
    expect((await buys(second, yearly)).email).toBe(second.email);
    customer.status = "archived";
    expect(await buys(first)).toMatchObject({ id: customer.id, status: "active" });
  });
});
