import type { MailPort } from "./port.ts";
import type { Logger } from "@purser/core";

/** For SMTP_URL=none: no mail leaves, and the log says so each time. */
export function mailToNowhere(logger: Logger): MailPort {
  return {
    send: async (_mail, id) =>
      logger.warn({ mailId: id }, "A mail was not sent: there is no mail server (SMTP_URL)"),
  };
}
