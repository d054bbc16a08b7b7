import { isId } from "@purser/core";
import {
  type Database,
  type Executor,
  type TenantKey,
  type Transaction,
  deleteInBatches,
  findInAnyOrganization,
  hasKey,
  sandboxBankLinks as links,
} from "@purser/db";
import { and, eq, lt } from "drizzle-orm";

export type SandboxLinkRow = typeof links.$inferSelect;

export async function insertSandboxLink(db: Executor, link: SandboxLinkRow): Promise<void> {
  await db.insert(links).values(link);
}

/** Finds a link by its id alone, because the user on the page has nothing else. */
export async function findSandboxLink(db: Executor, id: string): Promise<SandboxLinkRow | undefined> {
  if (!isId("lnk", id)) return undefined;
  const [found] = await findInAnyOrganization(db, (any) => any.select().from(links).where(eq(links.id, id)));
  return found;
}

/** Deletes the links that expired before this instant. Returns how many. */
export function purgeSandboxLinks(db: Database, before: Date): Promise<number> {
  return deleteInBatches(db, links, lt(links.expiresAt, before));
}

/** Locks a link; undefined if it is already answered. */
export async function lockOpenLink(
  transaction: Transaction,
  link: TenantKey,
): Promise<SandboxLinkRow | undefined> {
  const [open] = await transaction
    .select()
    .from(links)
    .where(and(hasKey(links, link), eq(links.status, "OPEN")))
    .for("no key update");
  return open;
}

export async function setLinkResult(
  transaction: Transaction,
  link: TenantKey,
  result: Pick<SandboxLinkRow, "status" | "consentId">,
): Promise<void> {
  await transaction.update(links).set(result).where(hasKey(links, link));
}

/** Whether one of the team's links produced this consent. */
export async function isConsentOfLink(
  db: Executor,
  { organizationId, id, consentId }: { organizationId: string; id: string; consentId: string },
): Promise<boolean> {
  const found = await db
    .select({ id: links.id })
    .from(links)
    .where(and(hasKey(links, { organizationId, id }), eq(links.consentId, consentId)));
  return found.length > 0;
}
