import { utcDay } from "@purser/core";

interface MailContext {
  organizationName: string;
  institutionName: string;
  appUrl: string;
}

/** The mail to an owner whose consent is about to end. */
export function consentEnds({ organizationName, institutionName, by, appUrl }: MailContext & { by: Date }) {
  const day = utcDay(by);
  return {
    subject: `Renew your consent at ${institutionName} before ${day}`,
    text: [
      `The consent by which ${organizationName} reads its accounts at ${institutionName} ends on ${day} (UTC).`,
      "After that, no new transactions arrive until an owner renews it. It takes a minute at the bank:",
      appUrl,
    ].join("\n\n"),
  };
}

/** The mail to an owner who has to confirm that a consent continues. */
export function consentNeedsConfirmation({
  organizationName,
  institutionName,
  by,
  appUrl,
}: MailContext & { by: Date }) {
  const day = utcDay(by);
  return {
    subject: `Confirm your consent at ${institutionName} before ${day}`,
    text: [
      `${organizationName} reads its accounts at ${institutionName}. The rules for bank data require that an owner confirms every few months that this continues, next by ${day} (UTC).`,
      "You do not have to visit the bank. Confirm it here:",
      appUrl,
    ].join("\n\n"),
  };
}

/** The mail to an owner whose consent has ended. */
export function consentHasEnded({
  organizationName,
  institutionName,
  at,
  appUrl,
}: MailContext & { at: Date }) {
  return {
    subject: `Your consent at ${institutionName} has ended`,
    text: [
      `The consent by which ${organizationName} reads its accounts at ${institutionName} ended on ${utcDay(at)} (UTC).`,
      "What was read so far is kept; new transactions arrive again as soon as an owner renews the consent:",
      appUrl,
    ].join("\n\n"),
  };
}

/** The mail to an owner whose bank is no longer read until a person acts. */
export function bankNeedsPerson({ organizationName, institutionName, appUrl }: MailContext) {
  return {
    subject: `${institutionName} asks for your consent again`,
    text: [
      `${institutionName} does not let ${organizationName} read its accounts until an owner signs in there again.`,
      "What was read so far is kept; new transactions arrive again as soon as the consent is renewed:",
      appUrl,
    ].join("\n\n"),
  };
}
