import { type cardTransactions, cards } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, sceneBank } from "@purser/testing";
import { eq } from "drizzle-orm";

type Caller = ReturnType<TestPurser["as"]>;
type Sandbox = Caller["sandbox"]["cards"];

/** The terms of a card's policy. */
export type PolicyFields = Omit<
  Parameters<Caller["cards"]["policies"]["create"]>[0],
  "organizationId" | "name"
>;

type Purchase = Parameters<Sandbox["authorize"]>[0];

/** An issued card with the issuer's reference. */
export interface TestCard {
  organizationId: string;
  id: string;
  policyId: string;
  reference: string;
}

export type CardTransactionRow = typeof cardTransactions.$inferSelect;

/** An organization with a bank account, so that it can issue cards. */
export interface CardFixture {
  owner: Person;
  organizationId: string;
  connectionId: string;
  /** An account in pounds at a British bank. */
  accountId: string;
  policy(terms?: PolicyFields): Promise<string>;
  /** Issues a card, by default under a policy of its own and to the owner. */
  card(terms?: PolicyFields | { policyId: string }, assignedToId?: string): Promise<TestCard>;
  /** Makes a purchase through the sandbox's network, by default 100 at the corner shop. */
  buy(cardId: string, fields?: Partial<Purchase>): ReturnType<Sandbox["authorize"]>;
}

export const cornerShop = { name: "Corner Shop", id: "m-1", category: "5411", country: "GB" };

export async function createCardFixture(
  purser: TestPurser,
  others: { members?: Person[]; owners?: Person[] } = {},
): Promise<CardFixture> {
  const owner = await purser.person();
  const organizationId = await purser.organization(owner, others);
  const { cards: issuing, sandbox } = purser.as(owner);
  const { connectionId, accountId } = await linkAccount(purser, owner, organizationId);
  const policy = async (terms: PolicyFields = {}) =>
    (await issuing.policies.create({ organizationId, name: "Policy", ...terms })).id;
  return {
    owner,
    organizationId,
    connectionId,
    accountId,
    policy,
    async card(terms = {}, assignedToId = owner.userId) {
      const policyId = "policyId" in terms ? terms.policyId : await policy(terms);
      const { id } = await issuing.create({
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
    buy: (cardId, fields = {}) =>
      sandbox.cards.authorize({ cardId, amount: 100, merchant: cornerShop, channel: "in_store", ...fields }),
  };
}

/** Links a small sandbox bank. Returns an account in pounds. */
export async function linkAccount(purser: TestPurser, owner: Person, teamId: string) {
  const { banking } = purser.as(owner);
  const { id: connectionId } = await banking.connections.connect({
    teamId,
    ...sceneBank,
    consentId: "card-fixture",
  });
  const accounts = await banking.accounts.list({ teamId });
  const { id: accountId } = accounts.find(({ type, currency }) => type === "CHECKING" && currency === "GBP")!;
  return { connectionId, accountId };
}

/** A fixture of an owner and two members, with its own database. */
export interface CardScene extends CardFixture {
  purser: TestPurser;
  member: Person;
  other: Person;
  /** Issues a card, by default to the member. Returns its id. */
  newCard(policyId: string, holder?: Person): Promise<string>;
}

export async function setCardScene(): Promise<CardScene> {
  const purser = await createTestPurser();
  const [member, other] = [await purser.person(), await purser.person()];
  const fixture = await createCardFixture(purser, { members: [member, other] });
  const newCard = async (policyId: string, holder = member) =>
    (await fixture.card({ policyId }, holder.userId)).id;
  return { ...fixture, purser, member, other, newCard };
}
