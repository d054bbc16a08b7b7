import { Email } from "@purser/core";
import { PermanentFailure } from "../jobs/definition.ts";

/** The one recipient of a mail: exactly an address, so that nobody can add another one or a header. */
export function addressOf(recipient: string): string {
  const parsed = Email.safeParse(recipient);
  if (!parsed.success) throw new PermanentFailure("The recipient is not an e-mail address");
  return parsed.data;
}

/** A header's value: names that people chose may hold line breaks, which would start another header. */
export function headerText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, 250);
}
