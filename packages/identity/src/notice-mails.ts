import type { Mail } from "@purser/platform/mail";

interface Notice {
  subject: string;
  /** What has changed. */
  text: string;
  /** What to do if another person did it, before the address of the page if there is one. */
  advice: string;
  page?: "/account" | "/forgot-password";
}

const newPassword = {
  advice: "If that was not you, choose a new password now. That ends all sessions:",
  page: "/forgot-password",
} as const;

const notices = {
  key_created: {
    subject: "A new API key was created",
    text: "An API key was created for your Purser account. It acts as you until it expires or you delete it.",
    advice: "If that was not you, change your password, end all other sessions, and delete the key:",
    page: "/account",
  },
  password_changed: {
    subject: "Your password was changed",
    text: "The password of your Purser account was changed. Your API keys, if you have any, still work.",
    ...newPassword,
  },
  second_factor_on: {
    subject: "Your second factor was switched on",
    text: "To sign in to your Purser account, you now need a code of your authenticator app as well.",
    advice:
      "If that was not you, choose a new password now, and ask your operator to remove the second factor:",
    page: "/forgot-password",
  },
  second_factor_shown: {
    subject: "Your second factor was shown",
    text: "A signed-in session was shown the key of your second factor, to set up another authenticator app. The key makes the codes that your sign-in asks for.",
    advice:
      "If that was not you, choose a new password now. Then switch the second factor off, and on again with a new key:",
    page: "/forgot-password",
  },
  second_factor_off: {
    subject: "Your second factor was switched off",
    text: "You now sign in to your Purser account with your password only.",
    ...newPassword,
  },
  backup_codes_replaced: {
    subject: "Your backup codes were replaced",
    text: "Your Purser account has new backup codes. The earlier ones no longer work.",
    ...newPassword,
  },
  account_deleted: {
    subject: "Your account was deleted",
    text: "Your Purser account was deleted. You are a member of no organization any more, and the cards that you held are frozen.",
    advice: "If that was not you, contact your operator and the owners of your organizations.",
  },
} satisfies Record<string, Notice>;

/** A change of an account that another person with a session could have made, so a mail tells the owner. */
export type AccountNotice = keyof typeof notices;

export function accountNoticeMail(notice: AccountNotice, to: string, appUrl: string): Mail {
  const { subject, text, advice, page }: Notice = notices[notice];
  return { to, subject, text: mailText(text, advice, ...(page ? [`${appUrl}${page}`] : [])) };
}

/** Tells the old and the new address of an account about the change. The old one is null if it was not verified. */
export function addressNoticeMails({ from, to }: { from: string | null; to: string }): Mail[] {
  const subject = "Your e-mail address was changed";
  const text = mailText(
    `The address of your Purser account is now ${to}.`,
    "If that was not you, contact your operator.",
  );
  return [to, ...(from === null ? [] : [from])].map((address) => ({ to: address, subject, text }));
}

/** Returns the text of a mail with these paragraphs. */
export const mailText = (...paragraphs: string[]): string => `${paragraphs.join("\n\n")}\n`;
