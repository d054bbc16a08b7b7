import {
  type Executor,
  type TenantKey,
  type Transaction,
  hasKey,
  refersTo,
  sandboxBankConsents as consents,
  sandboxBankCustomers as customers,
  sandboxBankFaults as faults,
} from "@purser/db";
import { and, eq, getTableColumns, gt, isNull, or, sql } from "drizzle-orm";
import type { CustomerRow } from "./ledger.ts";

export type SandboxConsentRow = typeof consents.$inferSelect;
export type FaultRow = Omit<typeof faults.$inferSelect, "organizationId" | "customerId">;

/** A consent with its customer and faults: everything a read needs to know first. */
export interface FoundConsent {
  consent: SandboxConsentRow;
  customer: CustomerRow;
  faults: FaultRow[];
}

export async function findSandboxConsent(
  db: Executor,
  organizationId: string,
  consentId: string,
): Promise<FoundConsent | undefined> {
  const { fault, times, retryAfterSeconds, milliseconds } = getTableColumns(faults);
  const rows = await db
    .select({
      consent: consents,
      customer: customers,
      fault: { fault, times, retryAfterSeconds, milliseconds },
    })
    .from(consents)
    .innerJoin(customers, refersTo(consents, "customerId", customers))
    .leftJoin(
      faults,
      and(
        eq(faults.organizationId, consents.organizationId),
        eq(faults.customerId, consents.customerId),
        or(isNull(faults.times), gt(faults.times, 0)),
      ),
    )
    .where(hasKey(consents, { organizationId, id: consentId }));
  const [first] = rows;
  if (first === undefined) return undefined;
  const { consent, customer } = first;
  return { consent, customer, faults: rows.flatMap((row) => row.fault ?? []) };
}

/** Creates a consent if none has this id. */
export async function insertSandboxConsent(
  transaction: Transaction,
  consent: SandboxConsentRow,
): Promise<void> {
  await transaction.insert(consents).values(consent).onConflictDoNothing();
}

export async function updateSandboxConsent(
  db: Executor,
  consent: TenantKey,
  { status, expiresAt, createdAt }: Partial<Pick<SandboxConsentRow, "status" | "expiresAt" | "createdAt">>,
): Promise<void> {
  await db.update(consents).set({ status, expiresAt, createdAt }).where(hasKey(consents, consent));
}

/** Uses up one occurrence of a fault. Returns false if none is left. A fault without a count never runs out. */
export async function decrementFault(db: Executor, customer: TenantKey, fault: string): Promise<boolean> {
  const spent = await db
    .update(faults)
    .set({ times: sql`${faults.times} - 1` })
    .where(and(ofCustomer(customer), eq(faults.fault, fault), or(isNull(faults.times), gt(faults.times, 0))))
    .returning({ fault: faults.fault });
  return spent.length > 0;
}

/** Sets a fault. Replaces its earlier setting. */
export async function putFault(
  transaction: Transaction,
  customer: TenantKey,
  fault: FaultRow,
): Promise<void> {
  await transaction
    .insert(faults)
    .values({ organizationId: customer.organizationId, customerId: customer.id, ...fault })
    .onConflictDoUpdate({ target: [faults.organizationId, faults.customerId, faults.fault], set: fault });
}

export async function deleteFaults(transaction: Transaction, customer: TenantKey): Promise<void> {
  await transaction.delete(faults).where(ofCustomer(customer));
}

const ofCustomer = (customer: TenantKey) =>
  and(eq(faults.organizationId, customer.organizationId), eq(faults.customerId, customer.id));
