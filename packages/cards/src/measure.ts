import type { Platform } from "@purser/platform";
import { cardMetrics } from "./metrics.ts";
import type { CardMessage, IssuerName, Verdict } from "./ports.ts";

/** Begins to measure the answer to a request; what it gives is called with the verdict. */
export function measureVerdict(
  { meter }: Pick<Platform, "meter">,
  issuer: IssuerName,
  message: CardMessage | undefined,
): (verdict: Verdict) => void {
  const measured = meter.time(cardMetrics.decisionDuration);
  return ({ approved, reason }) => {
    if (message !== undefined && message.kind !== "authorization" && message.kind !== "increment") {
      const outcome = approved ? "applied" : "refused";
      meter.count(cardMetrics.messages, { issuer, kind: message.kind, outcome });
      return;
    }
    measured({ issuer });
    const decision = approved
      ? { outcome: "approved", reason: "none" }
      : // A refusal without a reason is of what could not be decided on.
        { outcome: "declined", reason: reason ?? "undecided" };
    meter.count(cardMetrics.decisions, { issuer, ...decision });
  };
}
