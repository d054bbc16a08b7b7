import { type KeyObject, randomBytes } from "node:crypto";
import { type userRoles, Email, Name, Problem, addMs, parseInput, text } from "@purser/core";
import type { Executor } from "@purser/db";
import type { Platform } from "@purser/platform";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import { signToken } from "./credentials.ts";
import { passwordLength } from "./contract/objects.ts";
import { sessionLifetime } from "./resolve-caller.ts";
import { listPasswordHashes } from "./store/passwords.ts";
import { insertSession } from "./store/sessions.ts";
import { findUserIdByEmail, grantAdministration, insertUser } from "./store/users.ts";
import { type AddressOptions, lockUserOfAddress } from "./users.ts";

export interface CreateUser {
  email: string;
  name: string;
  /** Without a password, sign-in is impossible, but `openSession` works. */
  password?: string;
  /** Default false. */
  emailVerified?: boolean;
  /** Default `user`. */
  role?: (typeof userRoles)[number];
}

export interface CreateApiKey {
  name: string;
  expiresInDays?: number | undefined;
}

const Password = text(passwordLength.maximum).min(passwordLength.minimum);

/** The part of better-auth that stores a new key. `expiresIn` is in seconds. */
type InsertApiKey = (key: {
  userId: string;
  name: string;
  expiresIn?: number;
}) => Promise<{ id: string; key: string }>;

/** Account operations without a request: for seeding, tests and the command line. */
export function createAccounts(platform: Platform, secret: KeyObject, insertApiKey: InsertApiKey) {
  const { db, clock } = platform;
  return {
    /** Creates a user. Throws VALIDATION_FAILED if the e-mail address is taken. */
    async createUser(user: CreateUser): Promise<{ id: string }> {
      if (user.password !== undefined) parseInput(Password, user.password, "password");
      const passwordHash = user.password === undefined ? null : await hashPassword(user.password);
      const added = await db.transaction((transaction) =>
        insertUser(
          transaction,
          {
            email: parseInput(Email, user.email, "email"),
            name: parseInput(Name, user.name, "name"),
            passwordHash,
            emailVerified: user.emailVerified ?? false,
            role: user.role ?? "user",
          },
          clock.now(),
        ),
      );
      if (added === undefined) {
        throw new Problem("VALIDATION_FAILED", {
          issues: [
            { path: ["email"], code: "taken", message: "A user with this e-mail address already exists" },
          ],
        });
      }
      return { id: added };
    },

    /**
     * Creates an API key of the user with this e-mail, and returns the only copy of it. Without `expiresInDays`, it does
     * not expire. Throws USER_NOT_FOUND.
     */
    async createApiKey(
      email: string,
      { name, expiresInDays }: CreateApiKey,
    ): Promise<{ id: string; key: string }> {
      const userId = await findUserIdByEmail(db, email.trim());
      if (userId === undefined) throw new Problem("USER_NOT_FOUND");
      const { id, key } = await insertApiKey({
        userId,
        name: parseInput(Name, name, "name"),
        ...(expiresInDays !== undefined && { expiresIn: expiresInDays * 86_400 }),
      });
      return { id, key };
    },

    /** Makes the user with this e-mail an administrator. Throws USER_NOT_FOUND or EMAIL_NOT_VERIFIED. */
    makeAdministrator: (email: string, options: AddressOptions = {}): Promise<void> =>
      db.transaction(async (transaction) => {
        const userId = await lockUserOfAddress(transaction, email, options);
        await grantAdministration(transaction, userId, clock.now());
      }),

    /** Opens a session for a user without a password, and returns its bearer token. */
    async openSession(userId: string): Promise<string> {
      const token = randomBytes(24).toString("base64url");
      const createdAt = clock.now();
      const expiresAt = addMs(createdAt, sessionLifetime.expiresIn);
      await insertSession(db, { userId, token, createdAt, expiresAt });
      return signToken(token, secret);
    },
  };
}

/** Returns those of these e-mail addresses whose user has this password. */
export async function listEmailsWithPassword(
  db: Executor,
  emails: readonly string[],
  password: string,
): Promise<string[]> {
  const matching: string[] = [];
  for (const { email, hash } of await listPasswordHashes(db, emails)) {
    if (hash !== null && (await verifyPassword({ hash, password }))) matching.push(email);
  }
  return matching;
}
