import type { Mail } from "@purser/platform/mail";

/** What the invited person gets: who invites, into what, until when, and the link. */
export function invitationMail(facts: {
  to: string;
  organization: string;
  invitedBy: string;
  link: string;
  expiresAt: Date;
}): Mail {
  const until = facts.expiresAt.toISOString().slice(0, 16).replace("T", " ");
  return {
    to: facts.to,
    subject: `Join ${facts.organization} on Purser`,
    text: [
      `${facts.invitedBy} invites you to join ${facts.organization} on Purser.`,
      `Accept the invitation here:`,
      facts.link,
      `It is good until ${until} UTC. If you did not expect it, you need not do anything.`,
    ].join("\n\n"),
  };
}
