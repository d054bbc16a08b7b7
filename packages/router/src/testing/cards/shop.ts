import { type Person, type TestPurser, createTestPurser } from "../index.ts";

/** An organization with an owner, two members and a bank account, where cards are issued and used. */
export interface CardScene {
  purser: TestPurser;
  owner: Person;
  member: Person;
  other: Person;
  organizationId: string;
  fundingAccountId: string;
  /** Makes a policy; gives its id. */
  newPolicy(rules?: Rules): Promise<string>;
  /** Issues a card, to the member unless it is said to whom; gives its id. */
  newCard(policyId: string, holder?: Person): Promise<string>;
  /** Makes a purchase with a card through the sandbox's network: 100 at the corner shop, unless more is said. */
  buy(cardId: string, facts?: Partial<Purchase>): ReturnType<Sandbox["authorize"]>;
}

type Caller = ReturnType<TestPurser["as"]>;
type Sandbox = Caller["sandbox"]["cards"];
type Purchase = Parameters<Sandbox["authorize"]>[0];
type Rules = Partial<Parameters<Caller["cards"]["policies"]["create"]>[0]>;

export const cornerShop = { name: "Corner Shop", id: "m-1", category: "5411", country: "GB" };

export async function setCardScene(): Promise<CardScene> {
  const purser = await createTestPurser();
  const [owner, member, other] = [await purser.person(), await purser.person(), await purser.person()];
  const organizationId = await purser.organization(owner, { members: [member, other] });
  const fundingAccountId = await linkAccount(purser, owner, organizationId);
  const { cards, sandbox } = purser.as(owner);
  return {
    purser,
    owner,
    member,
    other,
    organizationId,
    fundingAccountId,
    async newPolicy(rules = {}) {
      return (
        await cards.policies.create({
          organizationId,
          name: "Policy",
          ...rules,
        })
      ).id;
    },
    async newCard(policyId, holder = member) {
      const facts = {
        organizationId,
        policyId,
        fundingAccountId,
        assignedToId: holder.userId,
      };
      return (
        await cards.create({
          ...facts,
          purpose: "BUSINESS",
        })
      ).id;
    },
    buy: (cardId, facts = {}) =>
      sandbox.cards.authorize({
        cardId,
        amount: 100,
        merchant: cornerShop,
        channel: "in_store",
        ...facts,
      }),
  };
}

/** Links a small bank of the sandbox; gives an account in pounds. */
export async function linkAccount(purser: TestPurser, owner: Person, teamId: string): Promise<string> {
  const { banking } = purser.as(owner);
  const bank = { provider: "sandbox", providerId: "sprout-bank", consentId: "cards" } as const;
  await banking.connections.connect({ teamId, ...bank });
  const accounts = await banking.accounts.list({ teamId });
  return accounts.find(({ currency }) => currency === "GBP")!.id;
}
