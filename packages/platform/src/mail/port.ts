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
