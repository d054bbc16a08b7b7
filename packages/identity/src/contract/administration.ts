import { anyOf, explained, problemCatalog, userRoles } from "@purser/core";
import { z } from "zod";
import { AuthSession, AuthUser, ListLimit, ListOffset, Success, authFields } from "./objects.ts";
import type { AuthOperation } from "./operation.ts";

/** The fields that filter the list of users, by the type of their values. */
export const userFilterFields = {
  text: ["id", "name", "email", "role"],
  boolean: ["emailVerified", "banned", "twoFactorEnabled"],
} as const;

/** The fields that sort the list of users. */
export const userSortFields = [
  "id",
  "name",
  "email",
  "role",
  "emailVerified",
  "banned",
  "createdAt",
  "updatedAt",
] as const;

const century = 100 * 365.25 * 86_400;

const { email, name, image, newPassword } = authFields;
// Not the id of the other examples, which the API reference replaces by the reader's.
const userId = z.string().meta(explained("The user's id.", "user_01kk5cg1r0e2btm9x4qvz7n8wd"));
const role = z
  .enum(userRoles)
  .meta(
    explained(`The role in the service: ${anyOf(userRoles)}. It is no right in any organization.`, "user"),
  );
const profile = z.strictObject({ name: name.optional(), image: image.optional(), role: role.optional() });
const ofUser = z.object({ user: AuthUser.meta(explained("The user.")) });

/** The refusal of a caller who is no administrator. */
const notAllowed = (code: string) => ({ 403: { [code]: "The caller is not an administrator." } });
const unknownUser = { 404: { USER_NOT_FOUND: problemCatalog.USER_NOT_FOUND[1] } };
const taken = { USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "Another user has this address." };

/** What administrators do about users. */
export const administrationOperations: AuthOperation[] = [
  {
    method: "GET",
    path: "/admin/list-users",
    summary: "Lists users, newest first by default.",
    returns: "A page of the users, and how many there are.",
    administrator: true,
    refusals: notAllowed("YOU_ARE_NOT_ALLOWED_TO_LIST_USERS"),
    input: z.strictObject({
      searchValue: z
        .string()
        .optional()
        .meta(explained("Only users with this text in the `searchField`.", "@demo.example")),
      searchField: z
        .enum(["email", "name"])
        .optional()
        .meta(explained("The field that has the `searchValue`. `email` by default.", "email")),
      searchOperator: z
        .enum(["contains", "starts_with", "ends_with"])
        .optional()
        .meta(explained("Where the field has the `searchValue`. Anywhere by default.", "ends_with")),
      filterField: z
        .enum([...userFilterFields.text, ...userFilterFields.boolean])
        .optional()
        .meta(explained("The field that has the `filterValue`. `email` by default.", "role")),
      filterOperator: z
        .enum(["eq", "ne", "lt", "lte", "gt", "gte", "in", "not_in", "contains", "starts_with", "ends_with"])
        .optional()
        .meta(
          explained(
            "How the field and the `filterValue` compare: `eq` by default. A field that is true or false takes `eq` and `ne` only.",
            "eq",
          ),
        ),
      filterValue: z
        .array(z.string())
        .optional()
        .meta(
          explained(
            "Only users whose `filterField` compares so with this value. Repeat it for `in` and `not_in`, and only for them.",
            ["admin"],
          ),
        ),
      sortBy: z
        .enum(userSortFields)
        .optional()
        .meta(explained("The field that sorts the list. `id`, from the newest, by default.", "email")),
      sortDirection: z
        .enum(["asc", "desc"])
        .optional()
        .meta(explained("The direction of `sortBy`. `asc` by default.", "asc")),
      limit: ListLimit.optional().meta(explained("The maximum number of users. 100 by default.", 50)),
      offset: ListOffset.optional().meta(explained("How many users to skip.", 0)),
    }),
    output: z.object({
      users: z.array(AuthUser).meta(explained("The users.")),
      total: z.int().meta(explained("The number of all users that match.", 2)),
      limit: z.int().optional().meta(explained("The limit of the request. Absent without one.", 50)),
      offset: z
        .int()
        .optional()
        .meta(explained("The offset of the request. Absent without one, and for 0.", 50)),
    }),
  },
  {
    method: "GET",
    path: "/admin/get-user",
    summary: "Returns a user.",
    returns: "The user.",
    administrator: true,
    refusals: { ...notAllowed("YOU_ARE_NOT_ALLOWED_TO_GET_USER"), ...unknownUser },
    input: z.strictObject({ id: userId }),
    output: AuthUser,
  },
  {
    method: "POST",
    path: "/admin/create-user",
    summary:
      "Creates a user, whose address is not confirmed. Without a password, the user chooses one by a mail of `request-password-reset`.",
    returns: "The user.",
    administrator: true,
    refusals: { 400: taken, ...notAllowed("YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS"), 422: taken },
    input: z.strictObject({
      email,
      name,
      password: newPassword
        .optional()
        .meta(explained("The user's password: 8 to 128 characters.", "correct horse battery")),
      role: role.optional(),
      data: profile
        .optional()
        .meta(
          explained("More about the user, such as the picture.", { image: "https://demo.example/owner.png" }),
        ),
    }),
    output: ofUser,
  },
  {
    method: "POST",
    path: "/admin/update-user",
    summary:
      "Updates the name, picture or role of a user. Absent fields do not change; null removes the picture. Only users change their own address and password.",
    returns: "The user after the change.",
    administrator: true,
    refusals: {
      400: { NO_DATA_TO_UPDATE: "`data` has no field." },
      ...notAllowed("YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS"),
      ...unknownUser,
    },
    input: z.strictObject({
      userId,
      data: profile.meta(explained("What changes.", { name: "Demo Owner" })),
    }),
    output: AuthUser,
  },
  {
    method: "POST",
    path: "/admin/set-role",
    summary: "Sets the role of a user, effective on the user's next request.",
    returns: "The user after the change.",
    administrator: true,
    refusals: { ...notAllowed("YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE"), ...unknownUser },
    input: z.strictObject({ userId, role }),
    output: ofUser,
  },
  {
    method: "POST",
    path: "/admin/ban-user",
    summary: "Bans a user: all sessions end, and neither the password nor an API key works.",
    returns: "The user after the change.",
    administrator: true,
    refusals: {
      400: { YOU_CANNOT_BAN_YOURSELF: "The user is the caller." },
      ...notAllowed("YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"),
      ...unknownUser,
    },
    input: z.strictObject({
      userId,
      banReason: z
        .string()
        .optional()
        .meta(explained("Why the user is banned. `No reason` by default.", "The account was taken over")),
      // Limited, because the database cannot store every instant.
      banExpiresIn: z
        .int()
        .min(1)
        .max(century)
        .optional()
        .meta(explained("After how many seconds the ban ends. Without it, it does not.", 604_800)),
    }),
    output: ofUser,
  },
  {
    method: "POST",
    path: "/admin/unban-user",
    summary: "Ends the ban of a user.",
    returns: "The user after the change.",
    administrator: true,
    refusals: { ...notAllowed("YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"), ...unknownUser },
    input: z.strictObject({ userId }),
    output: ofUser,
  },
  {
    method: "POST",
    path: "/admin/remove-user",
    summary:
      "Deletes a user, and freezes the cards that the user holds. Refused while the user is the creator or the only owner of an organization.",
    returns: "That the user is deleted.",
    administrator: true,
    refusals: {
      400: { YOU_CANNOT_REMOVE_YOURSELF: "The user is the caller." },
      ...notAllowed("YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS"),
      ...unknownUser,
      409: {
        CREATOR_PROTECTED: "The user is the creator of an organization.",
        LAST_OWNER: "The user is the only owner of an organization.",
      },
    },
    input: z.strictObject({ userId }),
    output: Success,
  },
  {
    method: "POST",
    path: "/admin/list-user-sessions",
    summary: "Lists the sessions of a user that have not ended, newest first.",
    returns: "The sessions, 1000 at most. None for an unknown user.",
    administrator: true,
    refusals: notAllowed("YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS"),
    input: z.strictObject({ userId }),
    output: z.object({ sessions: z.array(AuthSession).meta(explained("The sessions.")) }),
  },
  {
    method: "POST",
    path: "/admin/revoke-user-session",
    summary: "Ends one session of a user.",
    returns: "That the session has ended.",
    administrator: true,
    refusals: notAllowed("YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS"),
    input: z.strictObject({
      sessionToken: z
        .string()
        .meta(
          explained("The session's `token`, from `list-user-sessions`.", "DUIZeSF4Ma2hWz62XKemIS6sZXxg40C4"),
        ),
    }),
    output: Success,
  },
  {
    method: "POST",
    path: "/admin/revoke-user-sessions",
    summary: "Ends all sessions of a user.",
    returns: "That the sessions have ended.",
    administrator: true,
    refusals: notAllowed("YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS"),
    input: z.strictObject({ userId }),
    output: Success,
  },
  {
    method: "POST",
    path: "/admin/has-permission",
    summary: "Returns whether the caller may do something about users.",
    returns: "Whether the caller has all of the permissions.",
    input: z.strictObject({
      permissions: z
        .record(z.string(), z.array(z.string()))
        .meta(
          explained(
            "Actions by what they are about. About a `user`: `create`, `list`, `get`, `update`, `set-role`, `ban` and `delete`. About a `session`: `list`, `revoke` and `delete`.",
            { user: ["list"] },
          ),
        ),
    }),
    output: z.object({
      error: z.null().meta(explained("Always null.")),
      success: z.boolean().meta(explained("Whether the caller has all of the permissions.", true)),
    }),
  },
];
