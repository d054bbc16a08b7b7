import type { Platform } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import type { Mail } from "@purser/platform/mail";
import { z } from "zod";
import type { Storage } from "./storage.ts";
import { insertChange } from "./store.ts";

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

  return {
    verification: async ({ user, token }: { user: Recipient; token: string }): Promise<void> => {
      const link = `${settings.appUrl}/verify-email?token=${encodeURIComponent(token)}`;
      const change = readChange(token);
      if (change === null) return send(verificationMail(user.email, link));
      const mails = [changeMail(change.updateTo, link)];
      if (user.emailVerified) mails.push(noticeMail(change.email, change.updateTo));
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + linkLifetime.verification * 1000);
      await insertChange(storage.executor(), { token, userId: user.id, createdAt, expiresAt });
      return send(...mails);
    },

    passwordReset: async ({ user, token }: { user: { email: string }; token: string }): Promise<void> => {
      await send(
        resetMail(user.email, `${settings.appUrl}/reset-password?token=${encodeURIComponent(token)}`),
      );
    },
  };
}

const Change = z.object({ email: z.string(), updateTo: z.string() });

/** Reads the old and new address from the token of an address change, unverified. Null for other tokens. */
export function readChange(token: string): z.infer<typeof Change> | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return Change.safeParse(payload).data ?? null;
  } catch {
    return null;
  }
}

const lines = (...paragraphs: string[]) => `${paragraphs.join("\n\n")}\n`;

function verificationMail(to: string, link: string): Mail {
  return {
    to,
    subject: "Confirm your e-mail address",
    text: lines(
      "Someone signed up to Purser with this address. If it was you, confirm it here within 24 hours:",
      link,
      "If it was not you, do not open the link: confirming would give the address to somebody else's account.",
    ),
  };
}

function changeMail(to: string, link: string): Mail {
  return {
    to,
    subject: "Confirm your new e-mail address",
    text: lines(
      "To make this the address of your Purser account, sign in and open this link within 24 hours:",
      link,
      "If you did not ask for it, there is nothing to do.",
    ),
  };
}

function noticeMail(to: string, newEmail: string): Mail {
  return {
    to,
    subject: "Your e-mail address is about to change",
    text: lines(
      `Someone signed in as you asked to change the address of your Purser account to ${newEmail}.`,
      "If it was not you, change your password now; that can also end all other sessions.",
    ),
  };
}

function resetMail(to: string, link: string): Mail {
  return {
    to,
    subject: "Choose a new password",
    text: lines(
      "Choose a new password for your Purser account here within an hour:",
      link,
      "If you did not ask for it, there is nothing to do: your password stays as it is.",
    ),
  };
}

export function secondFactorMail(to: string): Mail {
  return {
    to,
    subject: "Your second factor was removed",
    text: lines(
      "An operator of Purser has taken the second factor off your account. Your password alone signs you in now.",
      "Set up a new one in an authenticator app. If you did not ask for this, tell your operator.",
    ),
  };
}
