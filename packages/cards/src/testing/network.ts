import { toProblem } from "@purser/platform";
import type { CardsPlatform } from "../context.ts";
import type { NetworkDecision, CardMessage, CardMessageOf } from "../ports.ts";
import { cardReceivers } from "../webhooks.ts";
import { flakyIssuer } from "./flaky-issuer.ts";

let messages = 0;

/** A message of the network with a unique id. */
function message<Kind extends CardMessage["kind"]>(
  kind: Kind,
  defaults: Omit<CardMessageOf<Kind>, "kind" | "networkId">,
): CardMessageOf<Kind> {
  messages += 1;
  return { networkId: `message-${messages}`, ...defaults, kind } as never;
}

interface About {
  card: string;
  at: Date;
}

/** The network's own decision on a request: approved, unless there is a reason. */
export function adviceOn(
  { networkId, card, at, ...request }: CardMessageOf<"authorization" | "increment">,
  reason: NetworkDecision["reason"] = null,
): CardMessageOf<"advice"> {
  const decision =
    reason === null ? ({ approved: true, reason } as const) : ({ approved: false, reason } as const);
  return { networkId, card, at, kind: "advice", request, decision };
}

/** Messages about one card, by default at one instant. */
export function cardNetwork(about: About) {
  const merchant = { name: "Corner Coffee", id: "acceptor-1", category: "5411", country: "GB" };
  return {
    authorization(
      fields: Partial<CardMessageOf<"authorization">> & { amount: number },
    ): CardMessageOf<"authorization"> {
      const authorization = `authorization-${messages}`;
      const purchase = { currency: "GBP", merchant, channel: "in_store", description: null } as const;
      return message("authorization", { ...about, authorization, ...purchase, expiresAt: null, ...fields });
    },
    increment: (authorization: string, amount: number) =>
      message("increment", { ...about, authorization, amount }),
    approval: (authorization: string, amount: number, approved: number) => {
      const purchase = { currency: "GBP", merchant, channel: "in_store", description: null } as const;
      const request = { kind: "authorization", authorization, amount, ...purchase, expiresAt: null } as const;
      return message("approval", { ...about, request, approved });
    },
    reversal: (authorization: string, amount: number | null = null) =>
      message("reversal", { ...about, authorization, amount }),
    adjustment: (authorization: string, held: number) =>
      message("adjustment", { ...about, authorization, held }),
    expiry: (authorization: string) => message("expiry", { ...about, authorization }),
    clearing: (authorization: string | null, amount: number | null = null, final = true) =>
      message("clearing", { ...about, authorization, amount, final, merchant }),
    refund: (authorization: string | null, amount: number | null = null) =>
      message("refund", { ...about, authorization, amount, merchant }),
    undoing: (authorization: string, amount: number | null = null) =>
      message("refund", { ...about, authorization, amount, merchant, undoesAuthorization: true }),
    dispute: (
      direction: CardMessageOf<"dispute">["direction"],
      fields: Partial<CardMessageOf<"dispute">> & { amount: number },
    ): CardMessageOf<"dispute"> =>
      message("dispute", {
        ...about,
        direction,
        authorization: null,
        clearing: null,
        currency: "GBP",
        merchant,
        ...fields,
      }),
  };
}

/** Applies messages that an issuer reports in one event. Returns the effect of the event. */
export async function reportMessages(platform: CardsPlatform, ...reported: CardMessage[]) {
  const { issuers } = flakyIssuer();
  const issuer = await issuers.at("sandbox");
  const at = async () => ({ ...issuer, webhooks: { ...issuer.webhooks, read: () => reported } });
  const [receiver] = cardReceivers({ ...platform, issuers: { ...issuers, at } });
  return receiver!.apply({ type: "transaction", body: "{}" } as never);
}

/**
 * Sends a message again while it is refused for lack of time, as networks do. On a busy machine some of many requests wait
 * for more than a second in a queue, or too long for a lock or a connection.
 */
export async function repeatWhileUnavailable<Result>(send: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      expectUnavailable(error);
    }
  }
}

/** For messages that are refused for lack of time, and not sent again. Throws any other error. */
export function expectUnavailable(error: unknown): null {
  if (toProblem(error).code !== "UNAVAILABLE") throw error;
  return null;
}
