import { Id, TimeZone } from "@purser/core";
import { z } from "zod";

const partialApprovals = z.boolean().meta({
  description:
    "Whether a purchase that exceeds what is left of a daily, weekly or monthly limit is approved for what is left, where the merchant accepts less than it requested. Off by default.",
});

export const OrganizationSettings = z
  .object({ timeZone: z.string(), partialApprovals })
  .meta({ id: "OrganizationSettings" });

export const GetSettings = z.strictObject({ id: Id });

export const UpdateSettings = GetSettings.extend({
  timeZone: TimeZone.optional(),
  partialApprovals: partialApprovals.optional(),
});
