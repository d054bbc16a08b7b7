interface Facts {
  organizationName: string;
  institutionName: string;
  appUrl: string;
}

/** The mail to an owner whose consent is about to end. */
export function consentEnds({
  organizationName,
  institutionName,
  expiresAt,
  appUrl,
}: Facts & { expiresAt: Date }) {
  const day = expiresAt.toISOString().slice(0, 10);
  return {
    subject: `Renew your consent at ${institutionName} before ${day}`,
    text: [
      `The consent by which ${organizationName} reads its accounts at ${institutionName} ends on ${day} (UTC).`,
      "After that, no new transactions arrive until an owner renews it. It takes a minute at the bank:",
      appUrl,
    ].join("\n\n"),
  };
}

/** The mail to an owner whose bank is no longer read until a person acts. */
export function bankNeedsPerson({ organizationName, institutionName, appUrl }: Facts) {
  return {
    subject: `${institutionName} asks for your consent again`,
    text: [
      `${institutionName} does not let ${organizationName} read its accounts until an owner signs in there again.`,
      "What was read so far is kept; new transactions arrive again as soon as the consent is renewed:",
      appUrl,
    ].join("\n\n"),
  };
}
