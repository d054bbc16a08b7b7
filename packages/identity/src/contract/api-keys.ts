import { explained } from "@purser/core";
import { z } from "zod";
import { ApiKey, ListLimit, ListOffset, Success, authFields } from "./objects.ts";
import type { AuthOperation } from "./operation.ts";

const { keyId, keyName, expiresIn, metadata } = authFields;

const refusals = { 404: { KEY_NOT_FOUND: "The caller has no such API key." } };

export const apiKeyOperations: AuthOperation[] = [
  {
    method: "POST",
    path: "/api-key/create",
    summary: "Creates an API key that acts as the caller. Send it in the header `x-api-key`.",
    returns: "The key. It is not shown again.",
    input: z.strictObject({ name: keyName.optional(), expiresIn, metadata }),
    output: ApiKey.extend({
      key: z
        .string()
        .meta(
          explained(
            "The key itself.",
            "purser_YZuiAuXEEgSZqutDEkmeyZIfDlzjjKsSzpkBUuhNDOXqalKkCrrTelggDGvyVrmt",
          ),
        ),
    }).meta({ id: "CreatedApiKey", description: "A new API key." }),
  },
  {
    method: "GET",
    path: "/api-key/list",
    summary: "Lists the API keys of the caller, newest first. Of more than 1000, it lists the newest 1000.",
    returns: "The keys, without the keys themselves.",
    input: z.strictObject({
      limit: ListLimit.optional().meta(explained("The maximum number of keys.", 50)),
      offset: ListOffset.optional().meta(explained("How many keys to skip.", 0)),
    }),
    output: z.object({
      apiKeys: z.array(ApiKey).meta(explained("The keys.")),
      total: z.int().meta(explained("The number of all keys of the caller, 1000 at most.", 2)),
      limit: z.int().optional().meta(explained("The limit of the request. Absent without one.", 50)),
      offset: z.int().optional().meta(explained("The offset of the request. Absent without one.", 0)),
    }),
  },
  {
    method: "GET",
    path: "/api-key/get",
    summary: "Returns an API key of the caller.",
    returns: "The key, without the key itself.",
    refusals,
    input: z.strictObject({ id: keyId }),
    output: ApiKey,
  },
  {
    method: "POST",
    path: "/api-key/update",
    summary: "Updates an API key of the caller. Absent fields do not change.",
    returns: "The key after the change, without the key itself.",
    refusals,
    input: z.strictObject({
      keyId,
      name: keyName.optional(),
      enabled: z.boolean().optional().meta(explained("Whether the key works.", false)),
      expiresIn,
      metadata,
    }),
    output: ApiKey,
  },
  {
    method: "POST",
    path: "/api-key/delete",
    summary: "Deletes an API key of the caller. It stops working immediately.",
    returns: "That the key is deleted.",
    refusals,
    input: z.strictObject({ keyId }),
    output: Success,
  },
];
