import { ApiError } from "@paddle/paddle-node-sdk";
import { z } from "zod";
import { BillingError, type BillingCustomer, type PaymentProvider } from "@purser/billing/ports";
import type { PaddleCall } from "./client.ts";
import { PaddleId, paddleTeamClaim, isPaddleId } from "./mapping.ts";

const Buyer = z.object({ id: PaddleId });
/** Paddle has a customer of this address already, and says which, if in words. */
const Taken = z.object({ takenBy: z.string().nullable() });

/**
 * Paddle's id of whoever has this address. There is one customer for an address, so that teams with the same buyer
 * share one: nothing about the team is written into it, not even its name.
 */
export async function createPaddleCustomer(call: PaddleCall, { email }: BillingCustomer): Promise<string> {
  const made = await call("customers.create", z.union([Buyer, Taken]), (paddle) =>
    paddle.customers.create({ email }).catch(takenBy),
  );
  if ("id" in made) return made.id;
  const id = made.takenBy ?? (await customerAt(call, email));
  // One that was archived cannot buy.
  const { id: revived } = await call("customers.update", Buyer, (paddle) =>
    paddle.customers.update(id, { status: "active" }),
  );
  return revived;
}

function takenBy(error: unknown): z.infer<typeof Taken> {
  if (!(error instanceof ApiError) || error.code !== "customer_already_exists") throw error;
  return { takenBy: /\bctm_[a-z\d]{26}\b/.exec(error.detail)?.[0] ?? null };
}

async function customerAt(call: PaddleCall, email: string): Promise<string> {
  const [found] = await call("customers.list", z.array(Buyer), (paddle) =>
    paddle.customers.list({ email: [email], status: ["active", "archived"], perPage: 1 }).next(),
  );
  if (found === undefined || !isPaddleId("ctm", found.id))
    throw new BillingError("outage", "Paddle, customers.list: the customer of a taken address is not there");
  return found.id;
}

const Portal = z.object({
  urls: z.object({ general: z.object({ overview: z.url({ protocol: /^https$/ }) }) }),
});

type PortalRequest = Parameters<PaymentProvider["createPortal"]>[0];

/**
 * The customer portal, which shows all that the customer has. Whoever sees to this team's subscription is let in where
 * that is only this team's; otherwise Paddle lets in whoever can read the customer's mail. It leads nowhere back.
 */
export async function createPaddlePortal(
  call: PaddleCall,
  { id, customerId }: PortalRequest,
): Promise<string> {
  if (!isPaddleId("ctm", customerId))
    throw new BillingError("not_found", "Paddle has no customers of such an id");
  const { urls } = await call("customerPortalSessions.create", Portal, (paddle) =>
    paddle.customerPortalSessions.create(customerId, [id]),
  );
  const url = new URL(urls.general.overview);
  if (!(await isOfOneTeam(call, { id, customerId }))) url.searchParams.delete("token");
  return url.href;
}

const Bought = z.object({
  data: z.array(z.object({ id: PaddleId, customData: z.unknown() })),
  hasMore: z.boolean(),
});

/** Whether all that a customer has ever subscribed to is of the team that has this subscription. */
async function isOfOneTeam(
  call: PaddleCall,
  { id, customerId }: Omit<PortalRequest, "returnUrl">,
): Promise<boolean> {
  const { data, hasMore } = await call("subscriptions.list", Bought, async (paddle) => {
    const pages = paddle.subscriptions.list({ customerId: [customerId], perPage: 200 });
    return { data: await pages.next(), hasMore: pages.hasMore };
  });
  const team = paddleTeamClaim(
    data.find((subscription) => subscription.id === id)?.customData,
  ).organizationId;
  return (
    team !== null &&
    !hasMore &&
    data.every(({ customData }) => paddleTeamClaim(customData).organizationId === team)
  );
}
