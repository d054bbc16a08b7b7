export { DevelopmentMailbox, type StoredMail } from "./mailbox.ts";
export { mailToNowhere } from "./nowhere.ts";
export { type Mail, type MailPort } from "./port.ts";
export { SmtpMail } from "./smtp.ts";
