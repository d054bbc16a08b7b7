export { singleLine } from "./headers.ts";
export { DevelopmentMailbox, type StoredMail } from "./mailbox.ts";
export { discardMail, type Mail, type MailPort } from "./port.ts";
export { SmtpMail } from "./smtp.ts";
