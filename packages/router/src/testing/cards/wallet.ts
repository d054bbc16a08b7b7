import { type cardTransactions, cards } from "@purser/db";
import { eq } from "drizzle-orm";
import type { Person, TestPurser } from "../purser.ts";
import { sceneBank } from "../scene.ts";

/** What the policy of a card says, beside its name. */
export type Terms = Omit<
  Parameters<ReturnType<TestPurser["as"]>["cards"]["policies"]["create"]>[0],
  "organizationId" | "name"
>;

/** A card, and what the network calls it. */
export interface HeldCard {
  organizationId: string;
  id: string;
  policyId: string;
  reference: string;
}

export type CardTransactionRow = typeof cardTransactions.$inferSelect;

/** An organization with money: it can have cards issued. */
export interface Wallet {
  owner: Person;
  organizationId: string;
  connectionId: string;
  /** An account in pounds at a British bank. */
  accountId: string;
  policy(terms?: Terms): Promise<string>;
  /** Has a card issued, under a policy of its own unless one is named, to the owner unless somebody else is. */
  card(terms?: Terms | { policyId: string }, assignedToId?: string): Promise<HeldCard>;
}

export async function openWallet(
  purser: TestPurser,
  others: { members?: Person[]; owners?: Person[] } = {},
): Promise<Wallet> {
  const owner = await purser.person();
  const organizationId = await purser.organization(owner, others);
  const as = purser.as(owner);
  const { id: connectionId } = await as.banking.connections.connect({
    teamId: organizationId,
    ...sceneBank,
    consentId: "wallet",
  });
  const accounts = await as.banking.accounts.list({ teamId: organizationId });
  const { id: accountId } = accounts.find(({ type, currency }) => type === "CHECKING" && currency === "GBP")!;
  const policy = async (terms: Terms = {}) =>
    (await as.cards.policies.create({ organizationId, name: "Policy", ...terms })).id;
  return {
    owner,
    organizationId,
    connectionId,
    accountId,
    policy,
    async card(terms = {}, assignedToId = owner.userId) {
      const policyId = "policyId" in terms ? terms.policyId : await policy(terms);
      const { id } = await as.cards.create({
        organizationId,
        assignedToId,
        fundingAccountId: accountId,
        policyId,
        purpose: "BUSINESS",
      });
      const [row] = await purser.db.select().from(cards).where(eq(cards.id, id));
      return {
        organizationId,
        id,
        policyId,
        reference: row!.issuerReference!,
      };
    },
  };
}
