import { Id, TimeZone } from "@purser/core";
import { z } from "zod";

export const OrganizationSettings = z.object({ timeZone: z.string() }).meta({ id: "OrganizationSettings" });

export const GetSettings = z.strictObject({ id: Id });

export const UpdateSettings = GetSettings.extend({ timeZone: TimeZone.optional() });
