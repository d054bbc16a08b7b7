import { createSecretKey } from "node:crypto";
import { addMs } from "@purser/core";
import type { Platform } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import type { Mail } from "@purser/platform/mail";
import { createEmailVerificationToken } from "better-auth/api";
import { z } from "zod";
import type { Storage } from "./better-auth-adapter.ts";
import { verified } from "./credentials.ts";
import { accountNoticeMail, mailText } from "./notice-mails.ts";
import { insertEmailChange } from "./store/verifications.ts";

interface Recipient {
  id: string;
  email: string;
  emailVerified: boolean;
}

/** How long the links in mails are valid, in seconds. */
export const linkLifetime = { verification: 24 * 3600, reset: 3600 };

/** Creates the senders of better-auth's mails. Each mail goes through the outbox, in the request's transaction. */
export function createMails({ clock, outbox, settings }: Platform, storage: Storage) {
  async function send(...mails: Mail[]): Promise<void> {
    try {
      await storage.transact(async (transaction) => {
        for (const mail of mails) await outbox.enqueue(transaction, platformJobs.sendMail, mail);
      });
    } catch (error) {
      // better-auth swallows the error and reports success.
      storage.note(error);
      throw error;
    }
  }

  const sign = (email: string, newEmail: string | undefined, claims: object) =>
    createEmailVerificationToken(settings.authSecret, email, newEmail, linkLifetime.verification, claims);
  const linkOf = (token: string) => `${settings.appUrl}/verify-email?token=${encodeURIComponent(token)}`;

  return {
    existingAccount: (email: string): Promise<void> => send(existingAccountMail(email, settings.appUrl)),

    verification: async ({ user }: { user: Recipient }): Promise<void> => {
      // The address may belong to another user when the link is opened.
      const token = await sign(user.email, undefined, { userId: user.id });
      return send(verificationMail(user.email, linkOf(token)));
    },

    addressChange: async ({ user, newEmail }: { user: Recipient; newEmail: string }): Promise<void> => {
      const token = await sign(user.email, newEmail, { requestType: "change-email-verification" });
      const mails = [changeMail(newEmail, linkOf(token))];
      if (user.emailVerified) mails.push(noticeMail(user.email, newEmail));
      const createdAt = clock.now();
      const expiresAt = addMs(createdAt, linkLifetime.verification * 1000);
      await insertEmailChange(storage.executor(), { token, userId: user.id, createdAt, expiresAt });
      return send(...mails);
    },

    passwordReset: async ({ user, token }: { user: { email: string }; token: string }): Promise<void> => {
      await send(
        resetMail(user.email, `${settings.appUrl}/reset-password?token=${encodeURIComponent(token)}`),
      );
    },

    passwordChanged: ({ email }: { email: string }): Promise<void> =>
      send(accountNoticeMail("password_changed", email, settings.appUrl)),
  };
}

export type AccountMails = ReturnType<typeof createMails>;

const Change = z.object({ email: z.string(), updateTo: z.string() });

/** Reads the old and new address from the token of an address change. Null for other tokens. */
export function readEmailChange(token: string, authSecret: string): z.infer<typeof Change> | null {
  return Change.safeParse(readPayload(token, authSecret)).data ?? null;
}

const Verification = z.object({ email: z.string(), userId: z.string().optional() });

/** Reads the address and the user from a verification link's token. Null for other tokens. */
export function readVerification(token: string, authSecret: string): z.infer<typeof Verification> | null {
  return Verification.safeParse(readPayload(token, authSecret)).data ?? null;
}

/**
 * Reads the payload of a JSON Web Token of ours. Undefined for other text: the answer to a forged token would reveal whether
 * there is an account with the address in it.
 */
function readPayload(token: string, authSecret: string): unknown {
  const signed = verified(token, createSecretKey(authSecret, "utf8"));
  try {
    return JSON.parse(Buffer.from(signed?.split(".")[1] ?? "", "base64url").toString());
  } catch {
    return undefined;
  }
}

function verificationMail(to: string, link: string): Mail {
  return {
    to,
    subject: "Confirm your e-mail address",
    text: mailText(
      "This address was used to sign up to Purser. If that was you, confirm the address within 24 hours:",
      link,
      "If that was not you, do not open the link. It would add your address to another person's account.",
    ),
  };
}

function existingAccountMail(to: string, appUrl: string): Mail {
  return {
    to,
    subject: "You already have an account",
    text: mailText(
      "This address was used to sign up to Purser, but it has an account already. If that was you, sign in:",
      `${appUrl}/sign-in`,
      "If you do not know the password, choose a new one there. If that was not you, ignore this mail.",
    ),
  };
}

function changeMail(to: string, link: string): Mail {
  return {
    to,
    subject: "Confirm your new e-mail address",
    text: mailText(
      "To use this address for your Purser account, sign in and open this link within 24 hours:",
      link,
      "If you did not request this change, ignore this mail.",
    ),
  };
}

function noticeMail(to: string, newEmail: string): Mail {
  return {
    to,
    subject: "Your e-mail address is about to change",
    text: mailText(
      `A change of the address of your Purser account to ${newEmail} was requested from a signed-in session.`,
      "If that was not you, change your password now and end all other sessions.",
    ),
  };
}

function resetMail(to: string, link: string): Mail {
  return {
    to,
    subject: "Choose a new password",
    text: mailText(
      "Choose a new password for your Purser account within an hour:",
      link,
      "If you did not request this, ignore this mail. Your password stays the same.",
    ),
  };
}

export function secondFactorMail(to: string): Mail {
  return {
    to,
    subject: "Your second factor was removed",
    text: mailText(
      "A Purser operator removed the second factor from your account. You now sign in with your password only.",
      "Set up a new second factor in an authenticator app. If you did not request this, contact your operator.",
    ),
  };
}
