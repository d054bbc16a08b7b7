import { ApiError } from "@paddle/paddle-node-sdk";
import { type BillingCustomer, BillingError, type PortalRequest } from "@purser/billing/ports";
import { z } from "zod";
import { type PaddleCall, PaddleId, isPaddleId } from "./client.ts";

const PaddleCustomer = z.object({ id: PaddleId });
/** The address already has a customer. Paddle names it only in the text of its error, if at all. */
const TakenAddress = z.object({ takenBy: z.string().nullable() });

/**
 * Returns Paddle's customer of an e-mail address. Paddle has one customer per address, so organizations with the same
 * buyer share one. Nothing about an organization is written into it, not even its name.
 */
export async function createPaddleCustomer(call: PaddleCall, { email }: BillingCustomer): Promise<string> {
  const created = await call("customers.create", z.union([PaddleCustomer, TakenAddress]), (paddle) =>
    paddle.customers.create({ email }).catch(takenBy),
  );
  if ("id" in created) return created.id;
  const id = created.takenBy ?? (await findCustomerByEmail(call, email));
  // An archived customer cannot buy.
  const { id: activated } = await call("customers.update", PaddleCustomer, (paddle) =>
    paddle.customers.update(id, { status: "active" }),
  );
  return activated;
}

function takenBy(error: unknown): z.infer<typeof TakenAddress> {
  if (!(error instanceof ApiError) || error.code !== "customer_already_exists") throw error;
  return { takenBy: /\bctm_[a-z\d]{26}\b/.exec(error.detail)?.[0] ?? null };
}

async function findCustomerByEmail(call: PaddleCall, email: string): Promise<string> {
  const [found] = await call("customers.list", z.array(PaddleCustomer), (paddle) =>
    paddle.customers.list({ email: [email], status: ["active", "archived"], perPage: 1 }).next(),
  );
  if (found === undefined || !isPaddleId("ctm", found.id))
    throw new BillingError("outage", "Paddle, customers.list: the customer of a taken address is missing");
  return found.id;
}

const PortalSession = z.object({
  urls: z.object({ general: z.object({ overview: z.url({ protocol: /^https$/ }) }) }),
});

/**
 * Returns the URL of the customer portal, which shows everything that the customer bought. If another organization
 * shares the customer, the URL carries no login token: Paddle then requires access to the customer's mailbox. Paddle's
 * portal has no link back to `returnUrl`.
 */
export async function createPaddlePortal(
  call: PaddleCall,
  { id, customerId, organizationSubscriptionIds }: PortalRequest,
): Promise<string> {
  if (!isPaddleId("ctm", customerId))
    throw new BillingError("not_found", "Paddle has no customer ids of this form");
  const { urls } = await call("customerPortalSessions.create", PortalSession, (paddle) =>
    paddle.customerPortalSessions.create(customerId, [id]),
  );
  const url = new URL(urls.general.overview);
  const bought = await listBoughtSubscriptionIds(call, customerId);
  // Our records say whose a subscription is. Its custom data may have been edited, or name another organization.
  if (!bought?.every((one) => organizationSubscriptionIds.includes(one))) url.searchParams.delete("token");
  return url.href;
}

const CustomerSubscriptions = z.object({ data: z.array(z.object({ id: PaddleId })), hasMore: z.boolean() });

/** Returns the ids of the customer's subscriptions in any status; null if there are more than fit one page. */
async function listBoughtSubscriptionIds(call: PaddleCall, customerId: string): Promise<string[] | null> {
  const { data, hasMore } = await call("subscriptions.list", CustomerSubscriptions, async (paddle) => {
    const pages = paddle.subscriptions.list({ customerId: [customerId], perPage: 200 });
    return { data: await pages.next(), hasMore: pages.hasMore };
  });
  return hasMore ? null : data.map((subscription) => subscription.id);
}
