/** Stored for a purchase of a former cardholder, whom the card does not name: only owners see it. No user has this id. */
const formerHolder = "former";

/** Returns the cardholder of an instant, as transactions store it. The network may report a former one's purchase late. */
export const holderAt = (
  { holderId, assignedAt }: { holderId: string | null; assignedAt: Date | null },
  instant: Date,
): string | null => (assignedAt !== null && instant < assignedAt ? formerHolder : holderId);
