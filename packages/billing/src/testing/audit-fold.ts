/** What the audit trail says about a subscription. */
export interface AuditedSubscription {
  isLive: boolean;
  /** Null unless live. */
  status: "ACTIVE" | "PAST_DUE" | "UNPAID" | "PAUSED" | null;
  isEnding: boolean;
  /** How many of the changes owners get a mail about. */
  notices: number;
}

const notified = new Set(["payment_failed", "unpaid", "paused", "duplicated", "ending", "ended"]);
const phases = { payment_failed: "PAST_DUE", unpaid: "UNPAID", paused: "PAUSED" } as const;

/** Replays the changes that the audit trail has of one subscription. Throws if one of them cannot follow the one before. */
export function foldAudit(changes: readonly string[]): AuditedSubscription {
  const now: AuditedSubscription = { isLive: false, status: null, isEnding: false, notices: 0 };
  let hasEnded = false;
  const require = (holds: boolean) => {
    if (!holds || hasEnded) throw new Error(`The audit trail is impossible: ${changes.join(", ")}`);
  };
  for (const change of changes) {
    if (notified.has(change)) now.notices += 1;
    if (change === "started") {
      require(!now.isLive);
      Object.assign(now, { isLive: true, status: "ACTIVE" });
    } else if (change === "payment_failed" || change === "unpaid" || change === "paused") {
      require(now.isLive && now.status !== phases[change]);
      now.status = phases[change];
    } else if (change === "recovered" || change === "unpaused") {
      require((now.status === "PAUSED") === (change === "unpaused") && now.status !== "ACTIVE");
      now.status = "ACTIVE";
    } else if (change === "ending" || change === "resumed") {
      require(now.isLive && now.isEnding === (change === "resumed"));
      now.isEnding = change === "ending";
    } else if (change === "ended" || change === "expired") {
      require(now.isLive === (change === "ended"));
      Object.assign(now, { isLive: false, status: null, isEnding: false });
      hasEnded = true;
    } else require(change === "duplicated" && now.isLive);
  }
  return now;
}
