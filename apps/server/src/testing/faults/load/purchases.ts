import type { RandomSource } from "@purser/core";
import type { HeldCard, Purchase, Tenant } from "../ledger.ts";
import type { LoadContext, Role } from "../world.ts";

/** The response to the network. A refusal without a reason means that no decision could be made. */
export interface Verdict {
  approved: boolean;
  reason: string | null;
}

type Data = Record<string, unknown>;

/** The card network: requests authorizations and sends the messages that follow. */
export const buying: Role = (world, tenant, chance) => {
  const open: Purchase[] = [];
  return async () => {
    if (open.length === 0 || chance.happens(0.45)) {
      // Sometimes several concurrent requests compete for the rest of one card's limit.
      const card = chance.pick(tenant.cards);
      const purchases = Array.from({ length: chance.happens(0.2) ? 5 : 1 }, () =>
        authorize(world, tenant, { card, amount: chance.whole(1, 30) * 25 }),
      );
      open.push(...(await Promise.all(purchases)).filter(({ status }) => status === "PENDING"));
      return;
    }
    const purchase = chance.pick(open);
    await goOn(world, tenant, chance, purchase);
    if (purchase.status !== "PENDING") open.splice(open.indexOf(purchase), 1);
  };
};

/** Requests an authorization. Returns the purchase with its outcome. */
export async function authorize(
  world: LoadContext,
  tenant: Tenant,
  { card, amount }: { card: HeldCard; amount: number },
): Promise<Purchase> {
  const name = world.ledger.nameFor(tenant, "purchase");
  const purchase: Purchase = {
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
  const facts = {
    authorization: name,
    amount,
    currency: "GBP",
    merchant,
    channel: "in_store",
    description: name,
  };
  const { approved, reason } = await tell(world, tenant, purchase, "authorization.request", facts);
  if (!approved) Object.assign(purchase, { status: "DECLINED", reason, held: 0 });
  tenant.purchases.push(purchase);
  return purchase;
}

/** Reverses the whole hold of a purchase. */
export async function reverse(world: LoadContext, tenant: Tenant, purchase: Purchase): Promise<void> {
  await mustTell(world, tenant, purchase, "reversal");
  end(purchase, "authorization_reversed");
}

/** Ends a purchase: completed if a part was cleared, declined otherwise. */
function end(purchase: Purchase, reason: string): void {
  purchase.held = 0;
  purchase.status = purchase.cleared > 0 ? "COMPLETED" : "DECLINED";
  if (purchase.cleared === 0) purchase.reason = reason;
}

/** Continues a pending purchase at random. */
async function goOn(
  world: LoadContext,
  tenant: Tenant,
  chance: RandomSource,
  purchase: Purchase,
): Promise<void> {
  const say = (type: string, data: Data = {}) => mustTell(world, tenant, purchase, type, data);
  const { held } = purchase;
  const some = held > 25 ? chance.whole(1, held / 25 - 1) * 25 : held;
  switch (chance.pick(["increment", "reversal", "part", "clearing", "clearing", "partly", "expiry"])) {
    case "increment": {
      const data = { authorization: purchase.name, amount: chance.whole(1, 10) * 25 };
      const { approved } = await tell(world, tenant, purchase, "increment.request", data);
      if (approved) purchase.held += data.amount;
      return;
    }
    case "part":
      if (some === held) return reverse(world, tenant, purchase);
      await say("reversal", { amount: some });
      purchase.held -= some;
      return;
    case "partly":
      await say("clearing", { amount: some, final: false });
      purchase.held -= some;
      purchase.cleared += some;
      return;
    case "clearing":
      await say("clearing", { amount: some, final: true });
      purchase.held = 0;
      purchase.cleared += some;
      purchase.status = "COMPLETED";
      if (!chance.happens(0.4)) return;
      purchase.refunded = chance.whole(1, purchase.cleared);
      return say("refund", { amount: purchase.refunded });
    case "expiry":
      await say("expiry");
      return end(purchase, "authorization_expired");
    default:
      return reverse(world, tenant, purchase);
  }
}

/** Sends a message that must be accepted. */
export async function mustTell(
  world: LoadContext,
  tenant: Tenant,
  purchase: Purchase,
  type: string,
  data: Data = {},
): Promise<void> {
  const told = { authorization: purchase.name, ...data };
  const { approved, reason } = await tell(world, tenant, purchase, type, told);
  if (!approved) throw new Error(`A ${type} of ${JSON.stringify(purchase)} was refused: ${reason}`);
}

/** Sends a message, and retries it under the same id until there is a verdict. */
async function tell(
  { client, ledger, processes, at }: LoadContext,
  tenant: Tenant,
  purchase: Purchase,
  type: string,
  data: Data,
): Promise<Verdict> {
  const { reference } = purchase.card;
  const body = { id: ledger.nameFor(tenant, "message"), type, data: { card: reference, at, ...data } };
  const ask = { method: "POST", path: "/api/webhooks/cards/sandbox", signedFor: "cards", body } as const;
  const answer = await client.ask(ask, ({ status, body: said }) => status !== 200 || isVerdict(type, said));
  if (answer.status !== 200) throw new Error(`${type} was answered with ${JSON.stringify(answer.body)}`);
  const verdict = answer.body as Verdict;
  if (verdict.reason === "decision_timed_out") purchase.lateAt ??= processes.deaths;
  else if (verdict.approved || type === "authorization.request") ledger.answered.push({ ask, answer });
  return verdict;
}

/** A late request counts as declined, so it is not retried. Any other message is retried until it is recorded. */
function isVerdict(type: string, said: unknown): boolean {
  const { approved, reason } = said as Verdict;
  if (reason === "decision_timed_out") return type.endsWith(".request");
  return approved || reason !== null;
}
