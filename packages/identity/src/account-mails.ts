import { randomBytes } from "node:crypto";
import { Name, Problem, parseInput } from "@purser/core";
import type { Executor } from "@purser/db";
import { type JobDefinition, defineJob } from "@purser/platform/jobs";
import { z } from "zod";
import type { Storage } from "./better-auth-adapter.ts";
import type { Body } from "./body-validation.ts";
import type { IdentityPlatform } from "./context.ts";
import type { AccountMails } from "./mails.ts";
import { AuthRefused } from "./responses.ts";
import { hasPassword } from "./store/passwords.ts";
import { findUserByEmail, findUserById, insertUser, lockUserByEmail } from "./store/users.ts";

/** A request for a mail to an address that may have an account. */
export type AccountMail =
  | { kind: "password-reset"; email: string }
  | { kind: "verification"; email: string }
  | {
      kind: "address-change";
      userId: string;
      newEmail: string;
      /** The hash of the user's password at the request. An earlier version did not store it. */
      passwordHash?: string | undefined;
    }
  | { kind: "sign-up"; email: string; name: string; image: string | null; passwordHash: string };

/** Identity's jobs. */
export const identityJobs: { accountMail: JobDefinition<AccountMail> } = {
  /**
   * Looks an address up and enqueues its mail. The request for the mail does not look it up: its response and its time would
   * reveal whether the address has an account.
   */
  accountMail: defineJob<AccountMail>("identity.mail", {
    retries: 12,
    pauseSeconds: 10,
    longestPauseSeconds: 2 * 60 * 60,
  }),
};

/** The endpoints that only ask for a mail. */
export type MailPath =
  | "/request-password-reset"
  | "/send-verification-email"
  | "/change-email"
  | "/sign-up/email";

const mailPaths = new Set<string>(["/request-password-reset", "/send-verification-email", "/change-email"]);

/** Whether an endpoint answers before the address is looked up. */
export function isMailPath(path: string, { confirmSignUp }: IdentityPlatform["settings"]): path is MailPath {
  return mailPaths.has(path) || (confirmSignUp && path === "/sign-up/email");
}

const Address = z.email({ error: "Must be an e-mail address" }).toLowerCase();
const ForAddress = z.object({ email: Address });
const SignUp = z.object({
  email: Address,
  name: Name,
  image: z.string().optional(),
  password: z.string(),
});

interface Asker {
  userId: string;
  email: string;
  emailVerified: boolean;
}

interface RequestPorts {
  caller: () => Promise<Asker | null>;
  /** Returns the hash of the body's password. */
  hashPassword: () => Promise<string | undefined>;
  /** Returns the stored hash of a user's password. Undefined without one. */
  findPasswordHash: (userId: string) => Promise<string | undefined>;
}

/**
 * Reads the mail that a request asks for, and its answer, without looking at any account but the caller's. Throws
 * VALIDATION_FAILED, UNAUTHENTICATED, or better-auth's refusal if the request contradicts the caller's own account.
 */
export async function readAccountMail(
  path: MailPath,
  body: Body,
  { caller, hashPassword, findPasswordHash }: RequestPorts,
): Promise<{ mail: AccountMail; answer: object }> {
  if (path === "/request-password-reset") {
    const { email } = parseInput(ForAddress, body);
    const message = "If this email exists in our system, check your email for the reset link";
    return { mail: { kind: "password-reset", email }, answer: { status: true, message } };
  }
  if (path === "/send-verification-email") {
    const { email } = parseInput(ForAddress, body);
    const user = await caller();
    if (user !== null && user.email !== email) throw refused("EMAIL_MISMATCH", "Email mismatch");
    if (user?.emailVerified) throw refused("EMAIL_ALREADY_VERIFIED", "Email is already verified");
    return { mail: { kind: "verification", email }, answer: { status: true } };
  }
  if (path === "/change-email") {
    const user = await caller();
    if (user === null) throw new Problem("UNAUTHENTICATED");
    const { newEmail } = parseInput(z.object({ newEmail: Address }), body);
    if (user.email === newEmail) throw refused("EMAIL_IS_THE_SAME", "Email is the same");
    const { userId } = user;
    const passwordHash = await findPasswordHash(userId);
    // A reset since would end the session, and its hash must not pass as that of this request.
    if ((await caller()) === null) throw new Problem("UNAUTHENTICATED");
    return { mail: { kind: "address-change", userId, newEmail, passwordHash }, answer: { status: true } };
  }
  const { email, name, image = null } = parseInput(SignUp, body);
  const hash = await hashPassword();
  if (hash === undefined) throw refused("INVALID_PASSWORD", "Invalid password");
  const mail = { kind: "sign-up" as const, email, name, image, passwordHash: hash };
  return { mail, answer: { token: null, user: null } };
}

interface AccountMailPorts {
  storage: Storage;
  mails: AccountMails;
  /** Stores the token of a reset link as better-auth expects it. */
  storeResetToken: (token: string, userId: string) => Promise<void>;
}

/** Creates the handler of the job. It may run again after a success, and then sends the mail again. */
export function createAccountMailHandler(
  { clock }: IdentityPlatform,
  { storage, mails, storeResetToken }: AccountMailPorts,
) {
  async function verify(db: Executor, email: string): Promise<void> {
    const user = await findUserByEmail(db, email);
    if (user === undefined || user.emailVerified) return;
    await mails.verification({ user });
  }

  /** Whether the account of this address is the one that this job created. The hash is salted, so no other sign-up has it. */
  async function isFromEarlierRun(
    db: Executor,
    { email, passwordHash }: { email: string; passwordHash: string },
  ): Promise<boolean> {
    const user = await findUserByEmail(db, email);
    return user !== undefined && hasPassword(db, user.id, passwordHash);
  }

  return (mail: AccountMail): Promise<void> =>
    storage.transact(async (transaction) => {
      if (mail.kind === "verification") return verify(transaction, mail.email);
      if (mail.kind === "password-reset") {
        // A change of the address ends the reset links that it sees.
        const user = await lockUserByEmail(transaction, mail.email);
        if (user === undefined) return;
        const token = randomBytes(24).toString("base64url");
        await storeResetToken(token, user.id);
        return mails.passwordReset({ user, token });
      }
      if (mail.kind === "address-change") {
        const { userId, passwordHash } = mail;
        // A new password ends the changes that were requested with the old one.
        if (passwordHash && !(await hasPassword(transaction, userId, passwordHash))) return;
        const user = await findUserById(transaction, userId);
        // The owner of a taken address learns nothing, and the asker no more than that no mail arrives.
        if (user === undefined || (await findUserByEmail(transaction, mail.newEmail))) return;
        return mails.addressChange({ user, newEmail: mail.newEmail });
      }
      const { kind: _, ...account } = mail;
      const user = { ...account, emailVerified: false, role: "user" as const };
      const added = await insertUser(transaction, user, clock.now());
      const isOwn = added !== undefined || (await isFromEarlierRun(transaction, mail));
      return isOwn ? verify(transaction, mail.email) : mails.existingAccount(mail.email);
    });
}

const refused = (code: string, message: string) => new AuthRefused({ code, message }, 400);
