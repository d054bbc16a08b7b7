import type { Logger } from "@purser/core";

/** One e-mail, in plain text; links stand on a line of their own. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Where mail leaves: SMTP where configured, otherwise the development mailbox. */
export interface MailPort {
  /**
   * Hands one mail over. The id (letters, digits, `-`) names the mail: sent twice, it is the same mail to whoever
   * receives it. Throws `PermanentFailure` when sending it again is of no use, anything else when it may help.
   */
  send(mail: Mail, id: string): Promise<void>;
}

/** For SMTP_URL=none: sends nothing, and logs a warning for each mail. */
export function discardMail(logger: Logger): MailPort {
  return {
    send: async (_mail, id) =>
      logger.warn({ mailId: id }, "A mail was not sent: there is no mail server (SMTP_URL)"),
  };
}
