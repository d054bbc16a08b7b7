import type { RandomSource } from "@purser/core";
import type { BankItem, Tenant } from "../acknowledged-state.ts";
import type { LoadContext, Workload } from "../load-context.ts";
import { mutate } from "./mutate.ts";

/**
 * A bank customer: creates, changes and deletes transactions at the bank, sends its webhooks, and reads the
 * transactions through the API.
 */
export const bankWorkload: Workload = (context, tenant, random) => async () => {
  const { items } = tenant.bank;
  const known = items.filter(({ id, status }) => id !== null && status !== "REMOVED");
  const pending = known.filter(({ status }) => status === "PENDING");
  const choice = random.fraction();
  if (choice < 0.2) await synchronize(context, tenant);
  else if (choice < 0.3) await notify(context, tenant, random.whole(1, 3));
  else if (choice < 0.5 && pending.length > 0) await post(context, tenant, random, random.pick(pending));
  else if (choice < 0.65 && known.length > 0) await change(context, tenant, random, random.pick(known));
  else if (choice < 0.75 && known.length > 0) await remove(context, tenant, random, random.pick(known));
  else if (choice < 0.8) await linkLoadBank(context, tenant);
  else await add(context, tenant, random);
};

/** Links the bank. Linking the same consent again returns the same connection. */
export async function linkLoadBank(
  context: LoadContext,
  { organizationId: teamId, owner, bank }: Tenant,
): Promise<string> {
  const body = { teamId, provider: "sandbox", providerId: "sprout-bank", consentId: bank.consentId };
  const request = { method: "POST", path: "/api/banking/connect", token: owner.token, body } as const;
  const { id } = await mutate<{ id: string }>(context, request);
  // An existing connection is only looked up.
  if (bank.connectionId === "") context.state.recordAction(teamId, "banking.connections.connect");
  else if (id !== bank.connectionId)
    context.reportViolation(`One consent has two connections: ${bank.connectionId} and ${id}`);
  return id;
}

/** Synchronizes the bank now. It has no idempotency key, so a failed call is sent as a new one. */
export async function synchronize(
  { client }: LoadContext,
  { organizationId: teamId, owner, bank }: Tenant,
): Promise<void> {
  const { connectionId } = bank;
  const body = { teamId, connectionId };
  await client.call({ method: "POST", path: "/api/banking/sync", token: owner.token, body });
}

/** Sends the bank's webhook several times. */
async function notify({ client, state }: LoadContext, tenant: Tenant, times: number): Promise<void> {
  const { organizationId, bank } = tenant;
  const id = state.uniqueName(tenant, "notification");
  const body = { id, type: "transactions.changed", data: { organizationId, consentId: bank.consentId } };
  const request = {
    method: "POST",
    path: "/api/webhooks/banking/sandbox",
    signedFor: "banking",
    body,
  } as const;
  await Promise.all(Array.from({ length: times }, () => client.call(request)));
  state.events.push(["banking", "sandbox", id]);
}

async function add(context: LoadContext, tenant: Tenant, random: RandomSource): Promise<void> {
  const { state, client } = context;
  const { organizationId, owner, bank } = tenant;
  const description = state.uniqueName(tenant, "item");
  const item: BankItem = {
    id: null,
    description,
    amount: random.whole(1, 90_000),
    type: random.pick(["CREDIT", "DEBIT"]),
    status: random.happens(0.5) ? "PENDING" : "POSTED",
  };
  bank.items.push(item);
  const { accountId } = bank;
  const { amount, type, status } = item;
  const fields = { accountId, amount, type, description, pending: status === "PENDING" };
  const request = control(tenant, random, "add-transaction", fields);
  if (random.happens(0.1)) {
    const response = await client.sendOnce({ ...request, token: owner.token, key: description });
    if (response?.status === 200) item.id = bankIdOf(response.body);
    state.recordAction(organizationId, "sandbox.banking.addTransaction", { isCertain: item.id !== null });
    return;
  }
  item.id = bankIdOf(await mutate(context, request));
  state.recordAction(organizationId, "sandbox.banking.addTransaction");
}

async function post(
  context: LoadContext,
  tenant: Tenant,
  random: RandomSource,
  item: BankItem,
): Promise<void> {
  const request = control(tenant, random, "post-transaction", { bankTransactionId: item.id });
  item.id = bankIdOf(await mutate(context, request));
  item.status = "POSTED";
  context.state.recordAction(tenant.organizationId, "sandbox.banking.postTransaction");
}

async function change(
  context: LoadContext,
  tenant: Tenant,
  random: RandomSource,
  item: BankItem,
): Promise<void> {
  const description = context.state.uniqueName(tenant, "item");
  const fields = { bankTransactionId: item.id, description };
  await mutate(context, control(tenant, random, "change-transaction", fields));
  item.description = description;
  context.state.recordAction(tenant.organizationId, "sandbox.banking.changeTransaction");
}

async function remove(
  context: LoadContext,
  tenant: Tenant,
  random: RandomSource,
  item: BankItem,
): Promise<void> {
  await mutate(context, control(tenant, random, "remove-transaction", { bankTransactionId: item.id }));
  item.status = "REMOVED";
  context.state.recordAction(tenant.organizationId, "sandbox.banking.removeTransaction");
}

function control(
  { organizationId: teamId, owner, bank: { connectionId } }: Tenant,
  random: RandomSource,
  name: string,
  fields: object,
) {
  const body = { teamId, connectionId, notify: random.happens(0.4), ...fields };
  return { method: "POST", path: `/api/sandbox/banking/${name}`, token: owner.token, body } as const;
}

const bankIdOf = (body: unknown) => (body as { bankTransactionId: string }).bankTransactionId;
