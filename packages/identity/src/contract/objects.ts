import { Email, Name, WebUrl, anyOf, exampleIds, explained, sharedFields, userRoles } from "@purser/core";
import { z } from "zod";

/** The allowed password lengths, in characters. */
export const passwordLength = { minimum: 8, maximum: 128 };

/** The largest `limit` and `offset` of a list. */
const maxListCount = 999_999_999;
export const ListLimit = z.int().min(1).max(maxListCount);
export const ListOffset = z.int().min(0).max(maxListCount);

const example = {
  token: "DUIZeSF4Ma2hWz62XKemIS6sZXxg40C4",
  session: "ses_01km4d3f90e4jbtw4sm4p1k8qz",
  key: "key_01km4d7zh0e9y8w1r9x1v2c3n4",
  instant: new Date("2026-03-02T09:15:00.000Z"),
  later: new Date("2026-03-09T09:15:00.000Z"),
};

const image = explained(
  "The address of the user's picture. Null if there is none.",
  "https://demo.example/owner.png",
);
const createdAt = z.date().meta(explained("When it was created.", example.instant));
const updatedAt = z.date().meta(explained("When it last changed.", example.instant));

export const AuthUser = z
  .object({
    id: z.string().meta(sharedFields.userId),
    name: z.string().meta(explained("The user's name, on one line.", "Demo Owner")),
    email: z.string().meta(sharedFields.personEmail),
    emailVerified: z
      .boolean()
      .meta(
        explained(
          "Whether the address is confirmed. Where the service requires that, as it does in production by default, invitations, and creating keys of an organization and webhook endpoints, need it.",
          true,
        ),
      ),
    image: z.string().nullable().meta(image),
    twoFactorEnabled: z
      .boolean()
      .meta(explained("Whether a sign-in with the password asks for a one-time code as well.", false)),
    role: z
      .enum(userRoles)
      .meta(
        explained(
          `The role in the service: ${anyOf(userRoles)}. It is no right in any organization.`,
          "user",
        ),
      ),
    banned: z.boolean().nullable().meta(explained("Whether an administrator has banned the user.", false)),
    banReason: z.string().nullable().meta(explained("Why the user is banned. Null without a reason.", null)),
    banExpires: z
      .date()
      .nullable()
      .meta(explained("When the ban ends. Null without a ban, and for a ban without an end.", null)),
    createdAt,
    updatedAt,
  })
  .meta({ id: "AuthUser", description: "A user's account." });

/** The examples of its fields together. */
export const exampleUser = Object.fromEntries(
  Object.entries(AuthUser.shape).map(([name, field]) => [
    name,
    (field.meta() as { examples: unknown[] }).examples[0],
  ]),
);

export const AuthSession = z
  .object({
    id: z.string().meta(explained("The session's id.", example.session)),
    token: z
      .string()
      .meta(
        explained(
          "The name of the session for `revoke-session`. It is not the bearer token, which carries a signature as well.",
          example.token,
        ),
      ),
    userId: z.string().meta(sharedFields.userId),
    expiresAt: z.date().meta(explained("When the session ends without further use.", example.later)),
    ipAddress: z.string().nullable().meta(explained("The address of the sign-in.", "203.0.113.7")),
    userAgent: z.string().nullable().meta(explained("The program of the sign-in.", "Mozilla/5.0")),
    impersonatedBy: z
      .null()
      .optional()
      .meta(explained("Always null: no user can act as another one. Absent from the session of an API key.")),
    createdAt,
    updatedAt,
  })
  .meta({ id: "AuthSession", description: "A session of a user." });

export const ApiKey = z
  .object({
    id: z.string().meta(explained("The key's id.", example.key)),
    name: z
      .string()
      .nullable()
      .meta(explained("What the key is for. Null without a name.", "Nightly export")),
    start: z
      .string()
      .nullable()
      .meta(explained("The first characters, for people to distinguish keys.", "purser_YZui")),
    prefix: z.string().nullable().meta(explained("What every key starts with.", "purser_")),
    referenceId: z.string().meta(explained("The id of the user that the key acts as.", exampleIds.user)),
    enabled: z.boolean().meta(explained("Whether the key works.", true)),
    expiresAt: z
      .date()
      .nullable()
      .meta(explained("When the key ends. Null if it does not.", new Date("2027-03-01T00:00:00.000Z"))),
    lastRequest: z
      .date()
      .nullable()
      .meta(explained("The last use, to the minute. Null if it was never used.", example.instant)),
    metadata: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta(
        explained("What the caller stored with the key, up to 16 kB. Null if nothing.", {
          purpose: "reports",
        }),
      ),
    createdAt,
    updatedAt,
  })
  .meta({ id: "ApiKey", description: "An API key of the caller, without the key itself." });

/** The refusal of a change that another request made impossible. */
export const concurrentChange = {
  CONFLICT: "Another request changed the account at the same time. Repeat the request.",
};

/** Fields that several inputs and outputs share. */
export const authFields = {
  email: Email,
  name: Name.meta(explained("The user's name: 1 to 200 characters on one line.", "Demo Owner")),
  image: WebUrl.nullable().meta(image),
  password: z.string().min(1).meta(explained("The present password.", "purser-demo-1")),
  newPassword: z
    .string()
    .min(passwordLength.minimum)
    .max(passwordLength.maximum)
    .meta(explained("The new password: 8 to 128 characters.", "correct horse battery")),
  code: z
    .string()
    .meta(explained("The six digits that the authenticator shows now. A code works once.", "123456")),
  trustDevice: z
    .boolean()
    .optional()
    .meta(
      explained(
        "Whether this browser may sign in without a code for 30 days, as long as the password stays.",
        false,
      ),
    ),
  keyId: z.string().meta(explained("The key's id.", example.key)),
  keyName: Name.meta(explained("What the key is for: 1 to 200 characters on one line.", "Nightly export")),
  expiresIn: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .meta(explained("After how many seconds the key ends. If null or absent, it does not.", 2_592_000)),
  metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .meta(explained("Anything to store with the key, up to 16 kB.", { purpose: "reports" })),
  token: z.string().meta(explained("The token from the link in the mail. It works once.", "r8Jx0mZqT1")),
  sessionToken: z
    .string()
    .nullable()
    .meta(
      explained(
        "The session's token, without its signature. The bearer token is the header `set-auth-token`. Null without a new session.",
        example.token,
      ),
    ),
  backupCodes: z
    .array(z.string())
    .meta(
      explained("Ten codes that replace one of the authenticator, once each. They are not shown again.", [
        "eJTht-pAkNt",
        "MOt0v-1xNcY",
      ]),
    ),
  totpURI: z
    .string()
    .meta(
      explained(
        "What an authenticator scans as a QR code.",
        "otpauth://totp/Purser:owner%40demo.example?secret=L5GEYX2SHFPVC2LL&issuer=Purser&digits=6&period=30",
      ),
    ),
};

const done = explained("Always true. A refusal is an error.", true);

/** The outputs of operations that return nothing but their success. */
export const Status = z.object({ status: z.literal(true).meta(done) });
export const Success = z.object({ success: z.literal(true).meta(done) });
