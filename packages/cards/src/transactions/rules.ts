import type { z } from "zod";
import type { RecordedCardDecision } from "./contract.ts";

type Recorded = z.output<typeof RecordedCardDecision>;

/**
 * What a transaction was decided on, from what is on record: JSON, where instants are texts. What was never asked
 * for, as a refund or a clearing without an authorization, was not decided upon: it came as it did.
 */
export function decisionOf(
  recorded: Record<string, unknown> | null,
  { createdAt }: { createdAt: Date },
): Recorded {
  if (recorded === null) return { ...undecided, decidedAt: createdAt };
  const { resetsAt, decidedAt, ...decision } = recorded as unknown as Written;
  return {
    ...decision,
    resetsAt: resetsAt === null ? null : new Date(resetsAt),
    decidedAt: new Date(decidedAt),
  };
}

type Written = Omit<Recorded, "resetsAt" | "decidedAt"> & { resetsAt: string | null; decidedAt: string };

const undecided = {
  outcome: "approved",
  reason: null,
  limit: null,
  used: null,
  remaining: null,
  resetsAt: null,
  interval: null,
} as const;
