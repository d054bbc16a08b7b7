import { Id, TimeZone, explained, sharedFields } from "@purser/core";
import { z } from "zod";

const partialApprovals = z.boolean().meta({
  examples: [false],
  description:
    "Whether a purchase that exceeds what is left of a daily, weekly or monthly limit is approved for what is left, where the merchant accepts less than it requested. Off by default.",
});

const timeZone = explained(
  "The IANA time zone in which the organization's days, weeks and months start, for example for spending limits. UTC by default.",
  "Europe/London",
);

export const OrganizationSettings = z
  .object({ timeZone: z.string().meta(timeZone), partialApprovals })
  .meta({ id: "OrganizationSettings", description: "The settings of an organization." });

export const GetSettings = z.strictObject({ id: Id.meta(sharedFields.organizationId) });

export const UpdateSettings = GetSettings.extend({
  timeZone: TimeZone.meta(timeZone).optional(),
  partialApprovals: partialApprovals.optional(),
});
