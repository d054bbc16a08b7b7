const lifetimeMilliseconds = 7 * 24 * 60 * 60 * 1000;

/** An invitation is good for 7 days to the millisecond (specification, Limits). */
export const expiryOf = (createdAt: Date) => new Date(createdAt.getTime() + lifetimeMilliseconds);

export const isExpired = (expiresAt: Date, now: Date) => now.getTime() >= expiresAt.getTime();

/** Whether an e-mail shows that a person is the invited one; where verification is required, only a verified one does. */
export function isInvited(
  invitedEmail: string,
  person: { email: string; emailVerified: boolean },
  requireVerifiedEmail: boolean,
): "yes" | "unverified" | "no" {
  if (person.email.toLowerCase() !== invitedEmail) return "no";
  return person.emailVerified || !requireVerifiedEmail ? "yes" : "unverified";
}
