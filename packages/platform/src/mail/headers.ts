import { Email } from "@purser/core";
import { PermanentFailure } from "../jobs/definition.ts";

/** Returns the recipient, exactly one address: anything else could add recipients or headers. */
export function addressOf(recipient: string): string {
  const parsed = Email.safeParse(recipient);
  if (!parsed.success) throw new PermanentFailure("The recipient is not an e-mail address");
  return parsed.data;
}

/** Returns a header's value. Names that users chose may contain line breaks, which would start another header. */
export function headerText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, 250);
}
