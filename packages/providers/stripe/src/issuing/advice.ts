import type { AdvisedVerdict, CardMessage } from "@purser/cards/ports";
import type { Authorization } from "./mapping.ts";
import { requestMessage } from "./requests.ts";

type Decided = Authorization["request_history"][number];

/**
 * What became of an authorization's requests, but for those that we approved and that stand. Stripe decides by itself
 * when no answer comes in time (the account's settings say how), or none that can be read; so does the network when
 * it does not reach Stripe; and much is refused before anybody asks here, or after.
 */
export function adviceMessages(object: Authorization): CardMessage[] {
  return object.request_history.flatMap((decided, place, history) => {
    const stands = decided.approved && decided.reason === "webhook_approved";
    if (stands || decided.amount < 0) return [];
    const asked = { ...decided, at: decided.created, earlier: history.slice(0, place) };
    const { networkId, card, at, ...request } = requestMessage(object, asked);
    return [{ kind: "advice", networkId, card, at, request, verdict: verdictOf(decided) }];
  });
}

function verdictOf({ approved, reason }: Decided): AdvisedVerdict {
  if (approved) return { approved, reason: null };
  // Ours, an error or nothing was all that Stripe had of us. Where ours was made, it is on record with its reason.
  const isAnswer = ["webhook_declined", "webhook_error", "webhook_timeout"].includes(reason);
  return { approved, reason: isAnswer ? "decision_timed_out" : "issuer_declined" };
}
