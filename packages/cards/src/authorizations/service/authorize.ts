import { Problem } from "@purser/core";
import type { Platform } from "@purser/platform";
import type { IssuerName } from "../../ports.ts";
import { findByMessage } from "../store/settle.ts";
import { queuesOf } from "./card-queues.ts";
import type { AuthorizationMessage } from "./decide-batch.ts";
import { type DecisionResult, repeated } from "./verdict.ts";

export { type AuthorizationMessage } from "./decide-batch.ts";

/** How often a decision is made anew because the card changed, or others were quicker, while it was made. */
const attempts = 8;

/**
 * Decides on a purchase and keeps what was decided: an approval takes from the limit in the same statement that
 * checks that there is enough of it, and that the card is still as it was when it was read. The same message again is
 * answered as it was the first time. Throws CARD_NOT_FOUND, and TRANSACTION_FINAL where another message was about this
 * very authorization before.
 */
export async function authorize(
  { decisionDb, clock }: Pick<Platform, "decisionDb" | "clock">,
  issuer: IssuerName,
  message: AuthorizationMessage,
): Promise<DecisionResult> {
  const { batched, inTurn } = queuesOf(decisionDb);
  const ask = { issuer, message, clock };
  for (let overtaken = 0; overtaken < attempts;) {
    // A card that is locked still when it comes again has to be waited for.
    const outcome = await (overtaken < 2 ? batched : inTurn)(ask);
    if (outcome.kind === "decided") return outcome.decided;
    if (outcome.kind === "unknown card") throw new Problem("CARD_NOT_FOUND");
    if (outcome.kind === "on record") {
      const first = await findByMessage(decisionDb, outcome.card, message.networkId);
      // Another message has used the name of this authorization: a clearing that was quicker, for example.
      if (first === undefined) throw new Problem("TRANSACTION_FINAL");
      return repeated(first);
    }
    if (outcome.kind === "overtaken") overtaken += 1;
  }
  throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
}
