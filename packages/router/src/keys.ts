import {
  CreateOrganizationKey,
  CreatedOrganizationKey,
  ListOrganizationKeys,
  OrganizationKey,
  TheOrganizationKey,
  createOrganizationKey,
  findOrganizationKeyById,
  listOrganizationKeys,
  requireFutureExpiry,
  revokeOrganizationKey,
} from "@purser/organizations/keys";
import { z } from "zod";
import { ofResource } from "./resource.ts";
import { checkInput, inOrganization, userProcedure } from "./trpc.ts";

const ofKey = ofResource("id", "API_KEY_NOT_FOUND", findOrganizationKeyById);

export const keys = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/keys" },
      summary: "Lists the API keys of an organization without their secrets, newest first.",
      access: "owner",
      returns: "A page of the keys, newest first. Revoked and expired ones are included.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(ListOrganizationKeys)
    .output(z.array(OrganizationKey))
    .use(inOrganization("owner"))
    .query(({ ctx, input }) => listOrganizationKeys(ctx, input)),

  create: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/keys", status: 201 },
      summary:
        "Creates an API key of an organization. It acts as a member of that organization, and keeps working when its creator leaves. A repeat with the same Idempotency-Key is refused, because the secret is not stored.",
      returnsSecret: true,
      access: "owner",
      returns: "The new key with its secret, which no other response contains.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "EMAIL_NOT_VERIFIED", "TOO_MANY_KEYS"],
    })
    .input(CreateOrganizationKey)
    .output(CreatedOrganizationKey)
    .use(checkInput(requireFutureExpiry))
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => createOrganizationKey(ctx, input)),

  revoke: userProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/keys/:id" },
      summary: "Revokes an API key of an organization. It is refused from then on, and stays in the list.",
      access: "owner",
      errors: ["API_KEY_NOT_FOUND", "FORBIDDEN"],
    })
    .input(TheOrganizationKey)
    .output(z.void())
    .use(inOrganization("owner", ofKey))
    .mutation(({ ctx, input }) => revokeOrganizationKey(ctx, input)),
};
