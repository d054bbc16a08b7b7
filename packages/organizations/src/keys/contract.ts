import {
  Id,
  Instant,
  Name,
  exampleIds,
  explained,
  explainedValues,
  organizationKeyAccesses,
  page,
  sharedFields,
} from "@purser/core";
import { z } from "zod";

const access = explainedValues(
  organizationKeyAccesses,
  "What the key may do in its organization: what a member may. With `write`, it also has two rights of an owner.",
  {
    read: "What a member without cards may read.",
    write:
      "What a member may read and change. As an owner may, it also manages webhook endpoints, and reads every event: of all purchases, cards, invitations and keys.",
  },
);
const keyId = explained("The key's id, which is no secret.", exampleIds.key);
const keyName = explained("The key's name, on one line. The audit trail shows it.", "Accounting export");

export const OrganizationKey = z
  .object({
    id: z.string().meta(keyId),
    organizationId: z.string().meta(sharedFields.organizationId),
    name: z.string().meta(keyName),
    access: z.enum(organizationKeyAccesses).meta(access),
    start: z
      .string()
      .meta(explained("The first characters of the key, to distinguish keys.", "purser_org_4kJx")),
    createdAt: z.date().meta(explained("When it was created.", new Date("2026-03-02T09:15:00.000Z"))),
    expiresAt: z
      .date()
      .nullable()
      .meta(explained("From when on it is refused. Null if never.", new Date("2027-03-02T00:00:00.000Z"))),
    lastUsedAt: z
      .date()
      .nullable()
      .meta(explained("When it was last used, to the minute. Null if it never was.", null)),
    revokedAt: z.date().nullable().meta(explained("When it was revoked. Null if it was not.", null)),
  })
  .meta({
    id: "OrganizationKey",
    description: "An API key of an organization, without its secret. It belongs to no user.",
  });

export const CreatedOrganizationKey = OrganizationKey.extend({
  key: z
    .string()
    .meta(
      explained(
        "The key for the header `X-Api-Key`. Only this response contains it; keep it secret.",
        "purser_org_4kJxTq0vYb3mN8sRw2LdE6hUzGf1PcA9iXoVtKjB5nM",
      ),
    ),
}).meta({ id: "CreatedOrganizationKey", description: "A new API key of an organization, with its secret." });

export const ListOrganizationKeys = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  ...page("key"),
});

export const CreateOrganizationKey = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  name: Name.meta(keyName),
  access: z.enum(organizationKeyAccesses).meta(access),
  expiresAt: Instant.nullable()
    .meta(
      explained(
        "From when on it is refused, in the future. Absent or null if never.",
        new Date("2027-03-02T00:00:00.000Z"),
      ),
    )
    .optional(),
});

export const TheOrganizationKey = z.strictObject({ id: Id.meta(keyId) });
