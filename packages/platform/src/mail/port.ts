import type { Logger } from "@purser/core";

/** One e-mail, in plain text. Each link is on its own line. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mail: over SMTP if configured, otherwise to the development mailbox. */
export interface MailPort {
  /**
   * Sends one mail. The id (letters, digits, `-`) identifies the mail: if it is sent twice, the recipient's mail client
   * recognizes a duplicate. Throws `PermanentFailure` if a retry is pointless, and any other error if it may help.
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
