import { isId } from "@purser/core";

/** A place in the order of the feed: after the event with this id. */
export interface FeedPosition {
  era: number;
  /** PostgreSQL's 64-bit transaction id. */
  transactionId: string;
  /** In microseconds since 1970. */
  recordedAt: number;
  /** An event's id; empty for a place before all events of the transaction. */
  id: string;
}

/** A position that a reader was given, and when. */
export interface FeedCursor {
  organizationId: string;
  position: FeedPosition;
  issuedAt: Date;
}

/** Before the first event. */
export const feedStart: FeedPosition = { era: 0, transactionId: "0", recordedAt: 0, id: "" };

/** Negative if the first place is before the second one in the order of the feed. */
export function comparePositions(one: FeedPosition, other: FeedPosition): number {
  if (one.era !== other.era) return one.era - other.era;
  const [transaction, otherTransaction] = [BigInt(one.transactionId), BigInt(other.transactionId)];
  if (transaction !== otherTransaction) return transaction < otherTransaction ? -1 : 1;
  if (one.recordedAt !== other.recordedAt) return one.recordedAt - other.recordedAt;
  // The database compares bytes, and ids are ASCII.
  return one.id < other.id ? -1 : Number(one.id > other.id);
}

export function encodeCursor({ organizationId, position, issuedAt }: FeedCursor): string {
  const { era, transactionId, recordedAt, id } = position;
  const fields = [organizationId, era, transactionId, recordedAt, id, issuedAt.getTime()];
  return Buffer.from(JSON.stringify(fields)).toString("base64url");
}

/** Returns null for a text that `encodeCursor` has not made. */
export function decodeCursor(text: string): FeedCursor | null {
  const fields = parsed(Buffer.from(text, "base64url").toString());
  if (!Array.isArray(fields) || fields.length !== 6) return null;
  const [organizationId, era, transactionId, recordedAt, id, issuedAt] = fields as unknown[];
  if (typeof organizationId !== "string") return null;
  if (!isCount(era) || era > maxEra) return null;
  if (typeof transactionId !== "string" || !/^[0-9]{1,19}$/.test(transactionId)) return null;
  if (!isCount(recordedAt)) return null;
  if (typeof id !== "string" || (id !== "" && !isId("evt", id))) return null;
  if (!isCount(issuedAt)) return null;
  return { organizationId, position: { era, transactionId, recordedAt, id }, issuedAt: new Date(issuedAt) };
}

/** PostgreSQL's largest integer. */
const maxEra = 2 ** 31 - 1;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
