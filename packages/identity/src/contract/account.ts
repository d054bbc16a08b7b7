import { exampleIds, explained, sharedFields } from "@purser/core";
import { z } from "zod";
import { AuthUser, Status, Success, authFields } from "./objects.ts";
import type { AuthOperation } from "./operation.ts";

const { password, newPassword, name, image, sessionToken, email } = authFields;

export const accountOperations: AuthOperation[] = [
  {
    method: "POST",
    path: "/update-user",
    summary: "Updates the caller's name or picture. Absent fields do not change; null removes the picture.",
    returns: "That the change is stored.",
    input: z.strictObject({ name: name.optional(), image: image.optional() }),
    output: Status,
  },
  {
    method: "POST",
    path: "/change-password",
    summary: "Sets a new password. Trusted devices and mailed links end.",
    returns: "The user, and the token of the new session if the others were ended.",
    opensSession: true,
    input: z.strictObject({
      currentPassword: password,
      newPassword,
      revokeOtherSessions: z
        .boolean()
        .optional()
        .meta(explained("Whether all sessions end. The caller gets a new one. False by default.", true)),
    }),
    output: z.object({ token: sessionToken, user: AuthUser.meta(explained("The user.")) }),
  },
  {
    method: "POST",
    path: "/change-email",
    summary: "Sends a mail with a link to the new address. The address changes when the link is opened.",
    returns: "That a mail follows.",
    input: z.strictObject({ newEmail: email }),
    output: Status,
  },
  {
    method: "GET",
    path: "/list-accounts",
    summary: "Lists how the caller can sign in.",
    returns: "The ways to sign in. The password is the only one.",
    input: z.strictObject({}),
    output: z.array(
      z
        .object({
          id: z.string().meta(explained("The id of the way to sign in.", "acc_01km4d3f90e4jbtw4sm4p1k8qz")),
          accountId: z.string().meta(explained("The user's name there: the user's id.", exampleIds.user)),
          providerId: z
            .string()
            .meta(explained("Who checks the sign-in: `credential`, the password.", "credential")),
          userId: z.string().meta(sharedFields.userId),
          scopes: z.array(z.string()).meta(explained("Always empty.", [])),
          createdAt: AuthUser.shape.createdAt,
          updatedAt: AuthUser.shape.updatedAt,
        })
        .meta({ id: "AuthAccount", description: "A way to sign in." }),
    ),
  },
  {
    method: "POST",
    path: "/delete-user",
    summary:
      "Deletes the caller's account, and freezes the cards that the caller holds. Refused while the caller is the creator or the only owner of an organization.",
    returns: "That the account is deleted.",
    refusals: {
      409: {
        CREATOR_PROTECTED: "The caller is the creator of an organization.",
        LAST_OWNER: "The caller is the only owner of an organization.",
      },
    },
    input: z.strictObject({ password }),
    output: Success.extend({
      message: z.string().meta(explained("The same as a sentence.", "User deleted")),
    }),
  },
];
