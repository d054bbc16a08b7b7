import { resolveCheckoutReturn } from "@purser/billing";
import { payCheckout } from "@purser/billing/sandbox";
import { goodCard } from "@purser/billing/testing";
import type { Caller } from "@purser/platform";
import type { Person, TestPurser } from "./purser.ts";

/** The kinds of callers that the access table distinguishes. */
export const callerRoles = [
  "anonymous",
  "stranger",
  "readKey",
  "writeKey",
  "member",
  "owner",
  "administrator",
] as const;
export type CallerRole = (typeof callerRoles)[number];

/** One organization with a caller of each role and one of each resource. */
export interface Scene {
  organizationId: string;
  people: Record<"stranger" | "member" | "owner" | "administrator", Person>;
  /** The people, and a key of the organization for each kind of access. */
  callers: Record<Exclude<CallerRole, "anonymous">, Caller>;
  /** The id of one of the keys. */
  keyId: string;
  /** An event that members see. Empty for procedures of other areas. */
  eventId: string;
  /** A webhook endpoint with a delivery. Empty for procedures of other areas. */
  endpointId: string;
  deliveryId: string;
  /** A further member. */
  otherMember: Person;
  otherMembershipId: string;
  invitedPerson: Person;
  invitationId: string;
  /** A sandbox bank with an account. Empty for procedures of areas other than banking and cards. */
  connectionId: string;
  accountId: string;
  /** Another account of the organization. For `banking.accounts.merge`, one that may be the same account. */
  otherAccountId: string;
  /** A pending transaction, for procedures of banking. */
  bankTransactionId: string;
  /** Our id of a transaction, for the procedures of `banking.transactions`. */
  transactionId: string;
  quarantineId: string;
  /** A card of the member with one purchase. Empty for procedures of other areas. */
  policyId: string;
  cardId: string;
  cardTransactionId: string;
  /** A subscription of the built-in provider and its webhook event. Empty for procedures of other areas. */
  subscriptionId: string;
  billingEventId: string;
}

/**
 * Creates the organization and the resources that calls of one procedure need.
 *
 * @example
 * const scene = await createScene(purser, "cards.update");
 * await purser.as(scene.people.owner).cards.update(exampleInputs["cards.update"](scene));
 */
export async function createScene(purser: TestPurser, procedure: string): Promise<Scene> {
  const [stranger, member, owner, administrator, other, invitedPerson] = await purser.people(
    {},
    {},
    {},
    { isAdministrator: true },
    {},
    {},
  );
  const organizationId = await purser.organization(owner, { members: [member, other] });
  const { members, invitations } = purser.as(owner).organizations;
  const membership = (await members.list({ organizationId })).find(({ userId }) => userId === other.userId)!;
  await invitations.create({ organizationId, email: invitedPerson.email, role: "MEMBER" });
  const [invitation] = await invitations.list({ organizationId });
  const readKey = await purser.organizationKey(organizationId, "read");
  const writeKey = await purser.organizationKey(organizationId, "write");
  return {
    organizationId,
    people: { stranger, member, owner, administrator },
    otherMember: other,
    otherMembershipId: membership.id,
    invitedPerson,
    invitationId: invitation!.id,
    callers: { stranger, readKey, writeKey, member, owner, administrator },
    keyId: readKey.keyId,
    ...(await createResources(purser, { owner, member, organizationId }, procedure)),
  };
}

/** Returns the area of a procedure. Procedures of an area use the same resources. */
export const areaOfProcedure = (procedure: string) => procedure.replace(/^sandbox\./, "").split(".")[0]!;

/** The procedures whose scene has what all procedures of their area need. */
const fullest: Record<string, string> = {
  banking: "banking.quarantine.resolve",
  billing: "billing.events.replay",
  cards: "cards.get",
};

/** Creates the organization and the resources that calls of all procedures of this one's area need. */
export function createSceneOfArea(purser: TestPurser, procedure: string): Promise<Scene> {
  return createScene(purser, fullest[areaOfProcedure(procedure)] ?? procedure);
}

/**
 * Returns a function that attempts a mutation on the scene of its area that others have changed, and on a new scene only if it
 * does not succeed there. Returns the result of the last attempt.
 */
export function changedScenes(purser: TestPurser) {
  const changed = new Map<string, Scene>();
  return async <Result>(
    procedure: string,
    attempt: (scene: Scene) => Promise<Result>,
    isSuccess: (result: Result) => boolean,
  ): Promise<Result> => {
    const area = areaOfProcedure(procedure);
    const known = changed.get(area);
    const result = known && (await attempt(known));
    if (result !== undefined && isSuccess(result)) return result;
    const scene = await createScene(purser, procedure);
    changed.set(area, scene);
    return attempt(scene);
  };
}

/** Returns a function that returns one scene per area, for calls that change nothing: queries and refused calls. */
export function sharedScenes(purser: TestPurser): (procedure: string) => Promise<Scene> {
  const scenes = new Map<string, Promise<Scene>>();
  return (procedure) => {
    const scene = scenes.get(areaOfProcedure(procedure)) ?? createSceneOfArea(purser, procedure);
    scenes.set(areaOfProcedure(procedure), scene);
    return scene;
  };
}

interface Team {
  owner: Person;
  member: Person;
  organizationId: string;
}

const noResources = {
  eventId: "",
  endpointId: "",
  deliveryId: "",
  connectionId: "",
  accountId: "",
  otherAccountId: "",
  bankTransactionId: "",
  transactionId: "",
  quarantineId: "",
  policyId: "",
  cardId: "",
  cardTransactionId: "",
  subscriptionId: "",
  billingEventId: "",
};

/** Creates only the resources that the procedure's area needs, because each one takes time. */
async function createResources(purser: TestPurser, team: Team, procedure: string) {
  const [, area] = /^(?:sandbox\.)?(banking|cards|billing|events|webhookEndpoints)\./.exec(procedure) ?? [];
  if (area === undefined || procedure === "billing.checkout") return noResources;
  if (area === "events") return { ...noResources, eventId: await causeEvent(purser, team) };
  if (area === "webhookEndpoints") return { ...noResources, ...(await addEndpoint(purser, team)) };
  if (area === "billing") return { ...noResources, ...(await subscribe(purser, team, procedure)) };
  const bank = await linkBank(purser, team.owner, team.organizationId, procedure);
  if (area === "banking") return { ...noResources, ...bank };
  return { ...noResources, ...bank, ...(await issueCard(purser, team, bank.accountId, procedure)) };
}

/** Issues a card to the member, with one purchase. The purchase is settled if the procedure requires that. */
async function issueCard(
  purser: TestPurser,
  { owner, member, organizationId }: Team,
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

async function causeEvent(purser: TestPurser, { owner, organizationId }: Team): Promise<string> {
  const { events, organizations } = purser.as(owner);
  await organizations.update({ id: organizationId, name: "Renamed before" });
  const [event] = await events.list({ organizationId, types: ["organization.updated"], limit: 1 });
  return event!.id;
}

/** Adds a webhook endpoint with the delivery of a test event. Nothing listens at its address. */
async function addEndpoint(purser: TestPurser, { owner, organizationId }: Team) {
  const { webhookEndpoints } = purser.as(owner);
  const { id } = await webhookEndpoints.create({ organizationId, url: "http://127.0.0.1:9/purser" });
  const delivery = await webhookEndpoints.test({ id });
  return { endpointId: id, deliveryId: delivery.id };
}

/** The plan that the scene's checkout buys. */
export const scenePlan = { planId: "local_team", variantId: "local_team_monthly" } as const;

/** Subscribes the organization. For `billing.events.replay`, also returns the webhook event of the subscription. */
async function subscribe(purser: TestPurser, { owner, organizationId }: Team, procedure: string) {
  const { billing, organizations } = purser.as(owner);
  const url = await billing.checkout({ teamId: organizationId, ...scenePlan });
  const paid = await payCheckout(purser.platform, url.split("/").at(-1)!, goodCard);
  if (paid?.outcome !== "paid") throw new Error("The payment of the scene's checkout failed");
  await resolveCheckoutReturn(purser.platform, paid.location.split("/").at(-2)!);
  const subscription = await organizations.subscription.get({ organizationId });
  if (procedure !== "billing.events.replay") return { subscriptionId: subscription!.id };
  await purser.drain();
  const administrator = await purser.person({ isAdministrator: true });
  const [event] = await purser.as(administrator).billing.events.list();
  return { subscriptionId: subscription!.id, billingEventId: event!.id };
}

/** A small bank with a short history, which links fast. */
export const sceneBank = { provider: "sandbox", providerId: "sprout-bank" } as const;

/**
 * Links a bank. For `banking.quarantine.resolve`, the bank also uses an id for two transactions. For
 * `banking.accounts.merge`, it is linked a second time.
 */
async function linkBank(purser: TestPurser, owner: Person, teamId: string, procedure: string) {
  const { banking, sandbox } = purser.as(owner);
  const { id: connectionId } = await banking.connections.connect({
    teamId,
    ...sceneBank,
    consentId: "scene",
  });
  const accounts = await banking.accounts.list({ teamId });
  const { id: accountId } = accounts.find(({ type }) => type === "CHECKING")!;
  const [{ id: otherAccountId } = { id: "" }] =
    procedure === "banking.accounts.merge"
      ? await linkAgain(purser, owner, teamId)
      : accounts.filter(({ id }) => id !== accountId);
  const linked = { connectionId, accountId, otherAccountId };
  // No input of cards has a bank transaction.
  if (areaOfProcedure(procedure) === "cards") return linked;
  const bankTransactionId = await addBankTransaction(purser, owner, { teamId, connectionId, accountId });
  const bank = { ...linked, bankTransactionId };
  const isQuarantined = procedure === "banking.quarantine.resolve";
  if (isQuarantined) await sandbox.banking.setFault({ teamId, connectionId, fault: "reused_ids", times: 1 });
  else if (!procedure.startsWith("banking.transactions.")) return bank;
  const transactionId = await syncTransactions(purser, owner, { teamId, connectionId });
  const [entry] = isQuarantined ? await banking.quarantine.list({ teamId }) : [];
  return { ...bank, transactionId, quarantineId: entry?.id ?? "" };
}

/** Adds bank transactions to a scene of cards, for tests that call procedures of both areas. */
export async function withBankTransactions(purser: TestPurser, scene: Scene): Promise<Scene> {
  const { organizationId: teamId, connectionId, accountId, people } = scene;
  const account = { teamId, connectionId, accountId };
  const bankTransactionId = await addBankTransaction(purser, people.owner, account);
  const transactionId = await syncTransactions(purser, people.owner, { teamId, connectionId });
  return { ...scene, bankTransactionId, transactionId };
}

/** Adds a pending transaction at the bank, and returns the bank's id of it. */
async function addBankTransaction(
  purser: TestPurser,
  owner: Person,
  account: { teamId: string; connectionId: string; accountId: string },
): Promise<string> {
  const { bankTransactionId } = await purser.as(owner).sandbox.banking.addTransaction({
    ...account,
    amount: 1250,
    type: "DEBIT",
    pending: true,
    notify: false,
  });
  return bankTransactionId;
}

/** Returns our id of the newest transaction. */
async function syncTransactions(
  purser: TestPurser,
  owner: Person,
  connection: { teamId: string; connectionId: string },
): Promise<string> {
  const { banking } = purser.as(owner);
  await banking.connections.sync(connection);
  const { teamId } = connection;
  const [transaction] = await banking.transactions.list({ teamId, status: "ALL", limit: 1 });
  return transaction!.id;
}

/** Links the bank under another consent. Returns the current accounts that it adds. */
async function linkAgain(purser: TestPurser, owner: Person, teamId: string) {
  const { banking } = purser.as(owner);
  const again = { teamId, ...sceneBank, consentId: "scene-again" };
  const { id: connectionId } = await banking.connections.connect(again);
  const accounts = await banking.accounts.list({ teamId, connectionId });
  return accounts.filter(({ type }) => type === "CHECKING");
}
