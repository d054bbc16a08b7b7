import type { Person, TestPurser } from "./purser.ts";

/** Who may meet an organization: each row of an access table is about one of them. */
export const roles = ["anonymous", "stranger", "member", "owner", "administrator"] as const;
export type Role = (typeof roles)[number];

/** One organization with everybody who may meet it, and something of everything in it. */
export interface Scene {
  organizationId: string;
  people: Record<Exclude<Role, "anonymous">, Person>;
  /** Of a member who is none of the people. */
  otherMembershipId: string;
  invitedPerson: Person;
  invitationId: string;
  /** Of a sandbox bank, with an account and a pending transaction; empty where the procedure is of another area. */
  connectionId: string;
  accountId: string;
  bankTransactionId: string;
  /** Of a card that is assigned to the member, with a purchase on it; empty likewise. */
  policyId: string;
  cardId: string;
  cardTransactionId: string;
}

/** Sets the scene for calls of one procedure. */
export async function setScene(purser: TestPurser, procedure: string): Promise<Scene> {
  const stranger = await purser.person();
  const member = await purser.person();
  const owner = await purser.person();
  const administrator = await purser.person({ isAdministrator: true });
  const other = await purser.person();
  const invitedPerson = await purser.person();
  const organizationId = await purser.organization(owner, { members: [member, other] });
  const { members, invitations } = purser.as(owner).organizations;
  const membership = (await members.list({ organizationId })).find(({ userId }) => userId === other.userId)!;
  await invitations.create({ organizationId, email: invitedPerson.email, role: "MEMBER" });
  const [invitation] = await invitations.list({ organizationId });
  return {
    organizationId,
    people: { stranger, member, owner, administrator },
    otherMembershipId: membership.id,
    invitedPerson,
    invitationId: invitation!.id,
    ...(await props(purser, { owner, member, organizationId }, procedure)),
  };
}

interface Cast {
  owner: Person;
  member: Person;
  organizationId: string;
}

const nothing = {
  connectionId: "",
  accountId: "",
  bankTransactionId: "",
  policyId: "",
  cardId: "",
  cardTransactionId: "",
};

/** What a procedure's area needs beside people: each thing takes a while to make. */
async function props(purser: TestPurser, cast: Cast, procedure: string) {
  const [, area] = /^(?:sandbox\.)?(banking|cards)\./.exec(procedure) ?? [];
  if (area === undefined) return nothing;
  const bank = await linkBank(purser, cast.owner, cast.organizationId);
  if (area === "banking") return { ...nothing, ...bank };
  return { ...nothing, ...bank, ...(await issueCard(purser, cast, bank.accountId, procedure)) };
}

/** A card of the member's with a purchase on it, which is settled where only a settled one will do. */
async function issueCard(
  purser: TestPurser,
  { owner, member, organizationId }: Cast,
  accountId: string,
  procedure: string,
) {
  const { cards, sandbox } = purser.as(owner);
  const { id: policyId } = await cards.policies.create({
    organizationId,
    name: "Travel",
    spendingLimit: 100_000,
  });
  const { id: cardId } = await cards.create({
    organizationId,
    policyId,
    assignedToId: member.userId,
    fundingAccountId: accountId,
    purpose: "BUSINESS",
  });
  const merchant = { name: "Corner Shop", category: "5411", country: "GB" };
  const { id } = await sandbox.cards.authorize({ cardId, amount: 1250, merchant, channel: "in_store" });
  if (procedure === "sandbox.cards.refund") await sandbox.cards.clear({ transactionId: id });
  return { policyId, cardId, cardTransactionId: id };
}

/** A small bank with a short history, so that a scene is set quickly. */
export const sceneBank = { provider: "sandbox", providerId: "sprout-bank" } as const;

async function linkBank(purser: TestPurser, owner: Person, teamId: string) {
  const { banking, sandbox } = purser.as(owner);
  const { id: connectionId } = await banking.connections.connect({
    teamId,
    ...sceneBank,
    consentId: "scene",
  });
  const accounts = await banking.accounts.list({ teamId });
  const { id: accountId } = accounts.find(({ type }) => type === "CHECKING")!;
  const { bankTransactionId } = await sandbox.banking.addTransaction({
    teamId,
    connectionId,
    accountId,
    amount: 1250,
    type: "DEBIT",
    pending: true,
    notify: false,
  });
  return { connectionId, accountId, bankTransactionId };
}

/** For every procedure, an input that somebody of the scene may give. Tests that are generated start from it. */
export const exampleInputs: Record<string, (scene: Scene) => Record<string, unknown>> = {
  "organizations.list": ({ people }) => ({ userId: people.owner.userId }),
  "organizations.get": ({ organizationId }) => ({ id: organizationId }),
  "organizations.create": () => ({ name: "Another" }),
  "organizations.update": ({ organizationId }) => ({ id: organizationId, name: "Renamed" }),
  "organizations.delete": ({ organizationId }) => ({ id: organizationId }),
  "organizations.members.list": ({ organizationId }) => ({ organizationId }),
  "organizations.members.remove": ({ otherMembershipId }) => ({ membershipId: otherMembershipId }),
  "organizations.members.updateRole": ({ otherMembershipId }) => ({ id: otherMembershipId, role: "OWNER" }),
  "organizations.invitations.list": ({ organizationId }) => ({ organizationId }),
  "organizations.invitations.get": ({ invitationId }) => ({ id: invitationId }),
  "organizations.invitations.create": ({ organizationId }) => ({
    organizationId,
    email: "new@example.com",
    role: "MEMBER",
  }),
  "organizations.invitations.accept": ({ invitationId }) => ({ id: invitationId }),
  "organizations.invitations.revoke": ({ invitationId }) => ({ invitationId }),
  "organizations.subscription.get": ({ organizationId }) => ({ organizationId }),
  "organizations.settings.get": ({ organizationId }) => ({ id: organizationId }),
  "organizations.settings.update": ({ organizationId }) => ({
    id: organizationId,
    timeZone: "Europe/London",
  }),
  "organizations.audit.list": ({ organizationId }) => ({ id: organizationId }),
  "banking.institutions.list": () => ({ query: "bank", country: "GB" }),
  "banking.link.create": ({ organizationId: teamId }) => ({ teamId, ...sceneBank }),
  "banking.connections.list": ({ organizationId: teamId }) => ({ teamId }),
  "banking.connections.connect": ({ organizationId: teamId }) => ({
    teamId,
    ...sceneBank,
    consentId: "another",
    metadata: { reference: "A-1" },
  }),
  "banking.connections.disconnect": theConnection,
  "banking.connections.updateConsent": (scene) => ({
    ...theConnection(scene),
    scopes: ["accounts", "transactions"],
    expiresAt: new Date("2026-12-24T00:00:00.000Z"),
  }),
  "banking.connections.sync": theConnection,
  "banking.accounts.list": theConnection,
  "banking.accounts.get": ({ organizationId: teamId, accountId }) => ({ teamId, accountId }),
  "banking.transactions.list": (scene) => ({
    ...theConnection(scene),
    from: new Date("2026-02-01T00:00:00.000Z"),
  }),
  "banking.syncs.list": theConnection,
  "cards.list": ({ organizationId }) => ({ organizationId }),
  "cards.create": ({ organizationId, people, accountId, policyId }) => ({
    organizationId,
    policyId,
    assignedToId: people.member.userId,
    fundingAccountId: accountId,
    purpose: "ONLINE",
    nickname: "Subscriptions",
  }),
  "cards.get": theCard,
  "cards.update": (scene) => ({ ...theCard(scene), nickname: "Renamed" }),
  "cards.updateStatus": (scene) => ({ ...theCard(scene), status: "PAUSED", reason: "Lost for a while" }),
  "cards.policies.list": ({ organizationId }) => ({ organizationId }),
  "cards.policies.create": ({ organizationId }) => ({
    organizationId,
    name: "Weekdays",
    daysOfWeek: [1, 2, 3, 4, 5],
    merchantCategories: ["5411"],
    spendingLimit: 5e3,
    limitInterval: "DAILY",
    activeFrom: new Date("2026-01-01T00:00:00.000Z"),
  }),
  "cards.policies.update": ({ organizationId, policyId }) => ({ organizationId, policyId, allowAtm: false }),
  "cards.policies.check": (scene) => ({
    ...theCard(scene),
    amount: 700,
    merchant: {
      name: "Corner Shop",
      category: "5411",
    },
    channel: "in_store",
  }),
  "cards.policies.backtest": ({ organizationId }) => ({ organizationId, policy: { spendingLimit: 1000 } }),
  "cards.transactions.list": ({ organizationId, cardId }) => ({ organizationId, cardId, minAmount: 1 }),
  "cards.transactions.explain": ({ organizationId, cardTransactionId: transactionId }) => ({
    organizationId,
    transactionId,
  }),
  "sandbox.cards.authorize": ({ cardId }) => ({
    cardId,
    amount: 500,
    merchant: {
      name: "Corner Shop",
      country: "GB",
    },
    channel: "online",
    networkId: "message-1",
  }),
  "sandbox.cards.increment": (scene) => ({ ...thePurchase(scene), amount: 100 }),
  "sandbox.cards.reverse": (scene) => ({ ...thePurchase(scene), amount: 100 }),
  "sandbox.cards.clear": thePurchase,
  "sandbox.cards.expire": thePurchase,
  "sandbox.cards.refund": thePurchase,
  "sandbox.banking.addTransaction": (scene) => ({
    ...theConnection(scene),
    accountId: scene.accountId,
    amount: 999,
    type: "DEBIT",
    date: new Date("2026-03-01T00:00:00.000Z"),
  }),
  "sandbox.banking.postTransaction": theBankTransaction,
  "sandbox.banking.changeTransaction": (scene) => ({ ...theBankTransaction(scene), category: "GROCERIES" }),
  "sandbox.banking.removeTransaction": theBankTransaction,
  "sandbox.banking.revokeConsent": theConnection,
  "sandbox.banking.expireConsent": theConnection,
  "sandbox.banking.requireReauthorization": theConnection,
  "sandbox.banking.repairConsent": theConnection,
  "sandbox.banking.setFault": (scene) => ({ ...theConnection(scene), fault: "outage", times: 1 }),
  "sandbox.banking.clearFaults": theConnection,
};

function theConnection({ organizationId: teamId, connectionId }: Scene) {
  return { teamId, connectionId };
}

function theCard({ organizationId, cardId }: Scene) {
  return { organizationId, cardId };
}

function thePurchase({ cardTransactionId: transactionId }: Scene) {
  return { transactionId };
}

function theBankTransaction(scene: Scene) {
  return { ...theConnection(scene), bankTransactionId: scene.bankTransactionId };
}
