import { Email, toSingleLine } from "@purser/core";
import { PermanentFailure } from "../jobs/definition.ts";

/** Returns the recipient, exactly one address: anything else could add recipients or headers. */
export function addressOf(recipient: string): string {
  const parsed = Email.safeParse(recipient);
  if (!parsed.success) throw new PermanentFailure("The recipient is not an e-mail address");
  return parsed.data;
}

/**
 * Returns a text on one line, for names that an earlier version stored. A line break would start another header, or another
 * paragraph.
 */
export function singleLine(text: string): string {
  return toSingleLine(text).slice(0, 250);
}
