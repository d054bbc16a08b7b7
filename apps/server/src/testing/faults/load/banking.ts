import type { RandomSource } from "@purser/core";
import type { BankItem, Tenant } from "../ledger.ts";
import type { LoadContext, Role } from "../world.ts";
import { mutate } from "./mutate.ts";

/**
 * A bank customer: creates, changes and deletes transactions at the bank, sends its webhooks, and reads the
 * transactions through the API.
 */
export const banking: Role = (world, tenant, chance) => async () => {
  const { items } = tenant.bank;
  const known = items.filter(({ id, status }) => id !== null && status !== "REMOVED");
  const pending = known.filter(({ status }) => status === "PENDING");
  const what = chance.fraction();
  if (what < 0.2) await synchronise(world, tenant);
  else if (what < 0.3) await notify(world, tenant, chance.whole(1, 3));
  else if (what < 0.5 && pending.length > 0) await post(world, tenant, chance, chance.pick(pending));
  else if (what < 0.65 && known.length > 0) await change(world, tenant, chance, chance.pick(known));
  else if (what < 0.75 && known.length > 0) await remove(world, tenant, chance, chance.pick(known));
  else if (what < 0.8) await connect(world, tenant);
  else await add(world, tenant, chance);
};

/** Links the bank. Linking the same consent again returns the same connection. */
export async function connect(
  world: LoadContext,
  { organizationId: teamId, owner, bank }: Tenant,
): Promise<string> {
  const body = { teamId, provider: "sandbox", providerId: "sprout-bank", consentId: bank.consentId };
  const ask = { method: "POST", path: "/api/banking/connect", token: owner.token, body } as const;
  const { id } = await mutate<{ id: string }>(world, ask);
  // An existing connection is only looked up.
  if (bank.connectionId === "") world.ledger.acted(teamId, "banking.connections.connect");
  else if (id !== bank.connectionId)
    world.complain(`The same consent gave the connections ${bank.connectionId} and ${id}`);
  return id;
}

/** Synchronizes the bank now. It has no idempotency key, so a failed call is sent as a new one. */
export async function synchronise(
  { client }: LoadContext,
  { organizationId: teamId, owner, bank }: Tenant,
): Promise<void> {
  const { connectionId } = bank;
  const body = { teamId, connectionId };
  await client.get({ method: "POST", path: "/api/banking/sync", token: owner.token, body });
}

/** Sends the bank's webhook several times. */
async function notify({ client, ledger }: LoadContext, tenant: Tenant, times: number): Promise<void> {
  const { organizationId, bank } = tenant;
  const id = ledger.nameFor(tenant, "notice");
  const body = { id, type: "transactions.changed", data: { organizationId, consentId: bank.consentId } };
  const ask = { method: "POST", path: "/api/webhooks/banking/sandbox", signedFor: "banking", body } as const;
  await Promise.all(Array.from({ length: times }, () => client.get(ask)));
  ledger.events.push(["banking", "sandbox", id]);
}

async function add(world: LoadContext, tenant: Tenant, chance: RandomSource): Promise<void> {
  const { ledger, client } = world;
  const { organizationId, owner, bank } = tenant;
  const description = ledger.nameFor(tenant, "item");
  const item: BankItem = {
    id: null,
    description,
    amount: chance.whole(1, 90_000),
    type: chance.pick(["CREDIT", "DEBIT"]),
    status: chance.happens(0.5) ? "PENDING" : "POSTED",
  };
  bank.items.push(item);
  const { accountId } = bank;
  const { amount, type, status } = item;
  const facts = { accountId, amount, type, description, pending: status === "PENDING" };
  const ask = control(tenant, chance, "add-transaction", facts);
  if (chance.happens(0.1)) {
    const answer = await client.askOnce({ ...ask, token: owner.token, key: description });
    if (answer?.status === 200) item.id = bankIdOf(answer.body);
    ledger.acted(organizationId, "sandbox.banking.addTransaction", { isCertain: item.id !== null });
    return;
  }
  item.id = bankIdOf(await mutate(world, ask));
  ledger.acted(organizationId, "sandbox.banking.addTransaction");
}

async function post(world: LoadContext, tenant: Tenant, chance: RandomSource, item: BankItem): Promise<void> {
  const ask = control(tenant, chance, "post-transaction", { bankTransactionId: item.id });
  item.id = bankIdOf(await mutate(world, ask));
  item.status = "POSTED";
  world.ledger.acted(tenant.organizationId, "sandbox.banking.postTransaction");
}

async function change(
  world: LoadContext,
  tenant: Tenant,
  chance: RandomSource,
  item: BankItem,
): Promise<void> {
  const description = world.ledger.nameFor(tenant, "item");
  const facts = { bankTransactionId: item.id, description };
  await mutate(world, control(tenant, chance, "change-transaction", facts));
  item.description = description;
  world.ledger.acted(tenant.organizationId, "sandbox.banking.changeTransaction");
}

async function remove(
  world: LoadContext,
  tenant: Tenant,
  chance: RandomSource,
  item: BankItem,
): Promise<void> {
  await mutate(world, control(tenant, chance, "remove-transaction", { bankTransactionId: item.id }));
  item.status = "REMOVED";
  world.ledger.acted(tenant.organizationId, "sandbox.banking.removeTransaction");
}

function control(
  { organizationId: teamId, owner, bank: { connectionId } }: Tenant,
  chance: RandomSource,
  name: string,
  facts: object,
) {
  const body = { teamId, connectionId, notify: chance.happens(0.4), ...facts };
  return { method: "POST", path: `/api/sandbox/banking/${name}`, token: owner.token, body } as const;
}

const bankIdOf = (body: unknown) => (body as { bankTransactionId: string }).bankTransactionId;
