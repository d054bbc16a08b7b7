import type { RandomSource } from "@purser/core";
import type { TenantCard, CardPurchase, Tenant } from "../acknowledged-state.ts";
import type { LoadContext, Workload } from "../load-context.ts";

/** The response to the network. Not approved and without a reason means that no decision could be made. */
export interface NetworkResponse {
  approved: boolean;
  reason: string | null;
}

type Data = Record<string, unknown>;

/** The card network: requests authorizations and sends the messages that follow. */
export const purchaseWorkload: Workload = (context, tenant, random) => {
  const open: CardPurchase[] = [];
  return async () => {
    if (open.length === 0 || random.happens(0.45)) {
      // Sometimes several concurrent requests compete for the rest of one card's limit.
      const card = random.pick(tenant.cards);
      const purchases = Array.from({ length: random.happens(0.2) ? 5 : 1 }, () =>
        requestAuthorization(context, tenant, { card, amount: random.whole(1, 30) * 25 }),
      );
      open.push(...(await Promise.all(purchases)).filter(({ status }) => status === "PENDING"));
      return;
    }
    const purchase = random.pick(open);
    await continuePurchase(context, tenant, random, purchase);
    if (purchase.status !== "PENDING" || isUncertain(purchase)) open.splice(open.indexOf(purchase), 1);
  };
};

/**
 * Whether a purchase may have ended meanwhile: an increment of it was too late, and nothing else is held. If the increment
 * was recorded after all, its withdrawal ends the purchase.
 */
export const isUncertain = ({ status, held, lateAt }: CardPurchase): boolean =>
  status === "PENDING" && held === 0 && lateAt !== null;

/** Requests an authorization. Returns the purchase with its outcome. */
export async function requestAuthorization(
  context: LoadContext,
  tenant: Tenant,
  { card, amount }: { card: TenantCard; amount: number },
): Promise<CardPurchase> {
  const name = context.state.uniqueName(tenant, "purchase");
  const purchase: CardPurchase = {
    card,
    name,
    status: "PENDING",
    reason: null,
    held: amount,
    cleared: 0,
    refunded: 0,
    lateAt: null,
  };
  const merchant = { name: "Corner Shop", id: "m-1", category: "5411", country: "GB" };
  const fields = {
    authorization: name,
    amount,
    currency: "GBP",
    merchant,
    channel: "in_store",
    description: name,
  };
  const { approved, reason } = await sendMessage(context, tenant, purchase, "authorization.request", fields);
  if (!approved) Object.assign(purchase, { status: "DECLINED", reason, held: 0 });
  tenant.purchases.push(purchase);
  return purchase;
}

/** Reverses the whole hold of a purchase. */
export async function reverse(context: LoadContext, tenant: Tenant, purchase: CardPurchase): Promise<void> {
  await sendAcceptedMessage(context, tenant, purchase, "reversal");
  end(purchase, "authorization_reversed");
}

/** Ends a purchase: completed if a part was cleared, declined otherwise. */
function end(purchase: CardPurchase, reason: string): void {
  purchase.held = 0;
  purchase.status = purchase.cleared > 0 ? "COMPLETED" : "DECLINED";
  if (purchase.cleared === 0) purchase.reason = reason;
}

/** Continues a pending purchase at random. */
async function continuePurchase(
  context: LoadContext,
  tenant: Tenant,
  random: RandomSource,
  purchase: CardPurchase,
): Promise<void> {
  const send = (type: string, data: Data = {}) => sendAcceptedMessage(context, tenant, purchase, type, data);
  const { held } = purchase;
  const some = held > 25 ? random.whole(1, held / 25 - 1) * 25 : held;
  switch (
    random.pick([
      "increment",
      "reversal",
      "partialReversal",
      "clearing",
      "clearing",
      "partialClearing",
      "expiry",
    ])
  ) {
    case "increment": {
      const data = { authorization: purchase.name, amount: random.whole(1, 10) * 25 };
      const { approved } = await sendMessage(context, tenant, purchase, "increment.request", data);
      if (approved) purchase.held += data.amount;
      return;
    }
    case "partialReversal":
      if (some === held) return reverse(context, tenant, purchase);
      await send("reversal", { amount: some });
      purchase.held -= some;
      return;
    case "partialClearing":
      await send("clearing", { amount: some, final: false });
      purchase.held -= some;
      purchase.cleared += some;
      return;
    case "clearing":
      await send("clearing", { amount: some, final: true });
      purchase.held = 0;
      purchase.cleared += some;
      purchase.status = "COMPLETED";
      if (!random.happens(0.4)) return;
      purchase.refunded = random.whole(1, purchase.cleared);
      return send("refund", { amount: purchase.refunded });
    case "expiry":
      await send("expiry");
      return end(purchase, "authorization_expired");
    default:
      return reverse(context, tenant, purchase);
  }
}

/** Sends a message that must be accepted. */
export async function sendAcceptedMessage(
  context: LoadContext,
  tenant: Tenant,
  purchase: CardPurchase,
  type: string,
  data: Data = {},
): Promise<void> {
  const fields = { authorization: purchase.name, ...data };
  const { approved, reason } = await sendMessage(context, tenant, purchase, type, fields);
  if (!approved) throw new Error(`A ${type} of ${JSON.stringify(purchase)} was declined: ${reason}`);
}

/** Sends a message, and retries it under the same id until the response is final. */
async function sendMessage(
  { client, state, processes, at }: LoadContext,
  tenant: Tenant,
  purchase: CardPurchase,
  type: string,
  data: Data,
): Promise<NetworkResponse> {
  const { reference } = purchase.card;
  const body = { id: state.uniqueName(tenant, "message"), type, data: { card: reference, at, ...data } };
  const request = { method: "POST", path: "/api/webhooks/cards/sandbox", signedFor: "cards", body } as const;
  const response = await client.send(
    request,
    ({ status, body: content }) => status !== 200 || isFinalResponse(type, content),
  );
  if (response.status !== 200) throw new Error(`${type} returned ${JSON.stringify(response.body)}`);
  const networkResponse = response.body as NetworkResponse;
  if (networkResponse.reason === "decision_timed_out") purchase.lateAt ??= processes.kills;
  else if (networkResponse.approved || type === "authorization.request")
    state.requests.push({ request, response });
  return networkResponse;
}

/** A late request counts as declined, so it is not retried. Any other message is retried until it is recorded. */
function isFinalResponse(type: string, content: unknown): boolean {
  const { approved, reason } = content as NetworkResponse;
  if (reason === "decision_timed_out") return type.endsWith(".request");
  return approved || reason !== null;
}
