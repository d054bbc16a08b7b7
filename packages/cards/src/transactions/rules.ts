import type { z } from "zod";
import type { RecordedCardDecision } from "./contract.ts";

type Recorded = z.output<typeof RecordedCardDecision>;

/**
 * Reads a stored decision, JSON with instants as text. A refund or a clearing without an authorization had no decision,
 * and counts as approved when it was recorded.
 */
export function recordedDecision(
  recorded: Record<string, unknown> | null,
  { createdAt }: { createdAt: Date },
): Recorded {
  if (recorded === null) return { ...undecided, decidedAt: createdAt };
  const { resetsAt, decidedAt, ...decision } = recorded as unknown as StoredDecision;
  return {
    ...decision,
    resetsAt: resetsAt === null ? null : new Date(resetsAt),
    decidedAt: new Date(decidedAt),
  };
}

type StoredDecision = Omit<Recorded, "resetsAt" | "decidedAt"> & {
  resetsAt: string | null;
  decidedAt: string;
};

const undecided = {
  outcome: "approved",
  reason: null,
  limit: null,
  used: null,
  remaining: null,
  resetsAt: null,
  interval: null,
} as const;
