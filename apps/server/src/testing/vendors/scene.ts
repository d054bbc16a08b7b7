import { synchronizeSubscription } from "@purser/billing";
import { createCardFixture } from "@purser/cards/testing";
import { bankConnections, bankConsents, cards } from "@purser/db";
import { eq } from "drizzle-orm";
import type { TestService } from "../service.ts";
import type { VendorExamples } from "./examples.ts";

/** Makes the object that an example names one of ours, so that the event reaches the mapping. */
export type Adopt = (reference: string) => Promise<void>;

type Vendor = Pick<VendorExamples, "area" | "vendor">;

/** Creates an organization with a card and a bank connection, which `adopt` gives the references of an example. */
export async function vendorScene({ purser }: TestService, { area, vendor }: Vendor): Promise<Adopt> {
  const { db, platform } = purser;
  if (area === "billing") {
    const provider = platform.payments.configured.find((name) => name === vendor)!;
    return async (subscriptionId) => {
      // A subscription never moves to another organization, so each example gets a new one.
      const organizationId = await purser.organization(await purser.person());
      await synchronizeSubscription(platform, provider, { subscriptionId, organizationId });
    };
  }
  const fixture = await createCardFixture(purser);
  if (area === "cards") {
    const { owner, organizationId, accountId } = fixture;
    const now = purser.clock.now();
    const id = "crd_example";
    await db.insert(cards).values({
      organizationId,
      id,
      assignedToId: owner.userId,
      createdById: owner.userId,
      fundingAccountId: accountId,
      policyId: await fixture.policy(),
      purpose: "BUSINESS",
      status: "ACTIVE",
      currency: "USD",
      country: "US",
      issuer: platform.issuers.configured.find((name) => name === vendor)!,
      issuerReference: "none",
      lastFour: "4242",
      expiryMonth: 1,
      expiryYear: 2030,
      timeZone: "Europe/London",
      createdAt: now,
      issuedAt: now,
    });
    return async (issuerReference) => {
      await db.update(cards).set({ issuerReference }).where(eq(cards.id, id));
    };
  }
  const { connectionId } = fixture;
  const provider = platform.banks.configured.find((name) => name === vendor)!;
  await db.update(bankConnections).set({ provider }).where(eq(bankConnections.id, connectionId));
  return async (id) => {
    await db.update(bankConsents).set({ provider, id }).where(eq(bankConsents.connectionId, connectionId));
  };
}
