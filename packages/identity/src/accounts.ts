import { type KeyObject, randomBytes } from "node:crypto";
import { Email, Name, Problem, type userRoles } from "@purser/core";
import type { Platform } from "@purser/platform";
import { hashPassword } from "better-auth/crypto";
import { signToken } from "./credentials.ts";
import { sessionLifetime } from "./resolve-caller.ts";
import { grantAdministration, insertSession, insertUser } from "./store.ts";

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

/** Account operations without a request: for seeding, tests and the command line. */
export function createAccounts(platform: Platform, secret: KeyObject) {
  const { db, clock } = platform;
  return {
    /** Creates a user. Throws VALIDATION_FAILED if the e-mail address is taken. */
    async createUser(user: CreateUser): Promise<{ id: string }> {
      const passwordHash = user.password === undefined ? null : await hashPassword(user.password);
      const added = await db.transaction((transaction) =>
        insertUser(
          transaction,
          {
            email: Email.parse(user.email),
            name: Name.parse(user.name),
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

    /** Makes the user with this e-mail an administrator. Throws USER_NOT_FOUND. */
    async makeAdministrator(email: string): Promise<void> {
      const found = await grantAdministration(db, email.trim().toLowerCase(), clock.now());
      if (!found) throw new Problem("USER_NOT_FOUND");
    },

    /** Opens a session for a user without a password, and returns its bearer token. */
    async openSession(userId: string): Promise<string> {
      const token = randomBytes(24).toString("base64url");
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + sessionLifetime.expiresIn);
      await insertSession(db, { userId, token, createdAt, expiresAt });
      return signToken(token, secret);
    },
  };
}
