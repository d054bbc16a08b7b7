import {
  type AuthErrorCode,
  type CardTransaction,
  type Invitation,
  type OrganizationsUpdateInput,
  type ProblemCode,
  type ProblemDocument,
  type PurserClient,
  PurserError,
  type PurserErrorCode,
  type PurserList,
  createPurserClient,
  isProblem,
  isRefused,
  paginate,
} from "@purser/client";
import type { WebhookPayload } from "@purser/client/webhooks";

const client: PurserClient = createPurserClient({
  baseUrl: new URL("https://purser.example"),
  token: async () => undefined,
  headers: () => ({ "x-trace": "1" }),
  fetch: (url, init) => fetch(url, { ...init, cache: "no-store" }),
  credentials: "include",
  batch: false,
  retries: undefined,
  timeoutMs: 10_000,
  onUnauthorized: async () => null,
});

export async function compiles(signal: AbortSignal): Promise<Invitation[]> {
  const { id, memberships } = await client.organizations.create(
    { name: "Acme" },
    { signal, idempotencyKey: "key" },
  );
  const role: "OWNER" | "MEMBER" | undefined = memberships[0]?.role;
  const patch: OrganizationsUpdateInput = { id, name: undefined, avatarUrl: null };
  await client.organizations.update(patch, {});
  const nothing: void = await client.organizations.invitations.revoke({ invitationId: "inv" });
  const subscription = await client.organizations.subscription.get(
    { organizationId: id },
    { signal: undefined },
  );
  const ends: Date | undefined = subscription?.currentPeriodEnd;
  const invitations = await client.organizations.invitations.list({ organizationId: id, limit: 1 });
  const { items, nextAfter } = await client.organizations.invitations.list.page({ organizationId: id });
  const page: [Invitation[], string | null] = [items, nextAfter];
  const { data, response } = await client.organizations.get.withResponse(
    { id },
    { timeoutMs: 1000, retries: 0 },
  );
  const meta: [string, number, string | null] = [
    data.name,
    response.status,
    response.headers.get("x-request-id"),
  ];
  const expiries: Date[] = invitations.map(({ expiresAt }) => expiresAt);
  for await (const entry of paginate(client.organizations.audit.list, { id }, { limit: 10, signal })) {
    const details: Record<string, unknown> = entry.details;
    console.log(entry.at.getTime(), entry.actor?.name ?? "system", details);
  }
  console.log(role, nothing, ends, expiries, page, meta);
  return invitations;
}

export function explains(error: unknown): string {
  if (!(error instanceof PurserError)) throw error;
  const code: PurserErrorCode = error.code;
  const server: ProblemCode = "FORBIDDEN";
  if (code === "ABORTED" || code === server || code === "A_LATER_CODE") return code;
  const wrongPassword: AuthErrorCode = "INVALID_EMAIL_OR_PASSWORD";
  if (isProblem(error, wrongPassword)) return error.code;
  if (isProblem(error, "CARD_CLOSED", "TIMEOUT")) {
    const known: "CARD_CLOSED" | "TIMEOUT" = error.code;
    const status: 409 | 0 = error.status;
    return `${known} ${status}`;
  }
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join(error.requestId);
}

/** What users of tRPC read. */
export function retries({ code }: ProblemDocument): boolean {
  return code === "UNAVAILABLE" || code === "A_LATER_CODE";
}

export async function refuses(): Promise<void> {
  // @ts-expect-error a name is needed
  await client.organizations.create({});
  // @ts-expect-error there is no such field
  await client.organizations.create({ name: "Acme", color: "red" });
  // @ts-expect-error there is no such role
  await client.organizations.members.updateRole({ id: "mem", role: "ADMIN" });
  // @ts-expect-error only a mutation has an idempotency key
  await client.organizations.get({ id: "org" }, { idempotencyKey: "key" });
  // @ts-expect-error there is no such procedure
  await client.organizations.destroy({ id: "org" });
  // @ts-expect-error only a list has pages
  await client.organizations.get.page({ id: "org" });
  // @ts-expect-error a list needs to know of which organization
  paginate(client.organizations.members.list, {});
  // @ts-expect-error not a list
  paginate(client.organizations.get, { id: "org" });
  // @ts-expect-error paginate decides the size of a page
  paginate(client.organizations.list, { userId: "user", limit: 1 });
}

/** A list without input, which a later version may add. */
export function plans(list: PurserList<{ limit?: number; after?: string } | undefined, { id: string }>) {
  return paginate(list, {});
}

export function whyDeclined({ declineReason }: CardTransaction): string {
  const reason: string = declineReason ?? "";
  return declineReason === "card_frozen" || declineReason === "a_later_reason" ? "Ask an owner" : reason;
}

/** Open lists of values stay texts in a webhook. Times are texts there. */
export function whyRefused(payload: WebhookPayload): string | null {
  if (payload.type !== "card_transaction.declined") return null;
  const transaction = payload.data.data;
  const reason: string | null = transaction.declineReason;
  const times: [string, string] = [payload.data.createdAt, transaction.createdAt];
  // @ts-expect-error a time is no Date in JSON
  const date: Date = transaction.createdAt;
  console.log(times, date);
  return isRefused(transaction) ? reason : null;
}
