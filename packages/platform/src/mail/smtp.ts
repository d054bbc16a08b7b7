import { errorText } from "@purser/core";
import { createTransport } from "nodemailer";
import { PermanentFailure } from "../jobs/definition.ts";
import { addressOf, singleLine } from "./headers.ts";
import type { Mail, MailPort } from "./port.ts";

/** Each mail has its own connection, so a mail server that hangs delays nothing for longer than this. */
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
};

export class SmtpMail implements MailPort {
  readonly #transport;
  readonly #from: string;
  readonly #domain: string;

  /**
   * @param url `smtp://` or `smtps://`, with user and password if the server needs them
   * @param from The sender: an address, or `Name <address>`
   */
  constructor(url: string, from: string) {
    this.#transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
    this.#from = from;
    this.#domain = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
  }

  async send(mail: Mail, id: string): Promise<void> {
    const to = addressOf(mail.to);
    try {
      await this.#transport.sendMail({
        from: this.#from,
        to: { name: "", address: to },
        subject: singleLine(mail.subject),
        text: mail.text,
        messageId: `<${id}@${this.#domain}>`,
        // Keeps out-of-office replies and mailing lists from answering (RFC 3834).
        headers: { "Auto-Submitted": "auto-generated" },
      });
    } catch (error) {
      throw smtpFailure(error);
    }
  }
}

/** An error of nodemailer, with the refused command and the code of the server's reply. */
interface SmtpError {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** Decides whether the mail server's answer is final for this mail. The message keeps its text, without the address. */
function smtpFailure(error: unknown): Error {
  const { code, command, responseCode = 0 } = error as SmtpError;
  const message = `SMTP: ${errorText(error)}`;
  // Only an answer about the recipient or the message is final. An operator can fix a refused login, a missing STARTTLS or a
  // refused sender, and the mail waits for that.
  const aboutThisMail = command === "RCPT TO" || code === "EMESSAGE";
  return aboutThisMail && responseCode >= 500 ? new PermanentFailure(message) : new Error(message);
}
