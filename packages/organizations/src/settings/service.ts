import { isDeepStrictEqual } from "node:util";
import { audit, transactInOrganization } from "@purser/platform";
import { recordEvent } from "@purser/platform/events";
import type { z } from "zod";
import type { OrganizationsContext } from "../context.ts";
import type { OrganizationEvent } from "../feed-events/contract.ts";
import { lockForOwner } from "../service/locks.ts";
import { setSettings } from "../store.ts";
import type { UpdateSettings } from "./contract.ts";

/** Stores settings. A new time zone moves the days of limits: jobs recount what each card has spent. */
export function updateSettings(ctx: OrganizationsContext, input: z.output<typeof UpdateSettings>) {
  return transactInOrganization(ctx, input.id, input, async (transaction) => {
    const { organization: before } = await lockForOwner(ctx, transaction, input.id);
    const { timeZone = before.timeZone, partialApprovals = before.partialApprovals } = input;
    const from = { timeZone: before.timeZone, partialApprovals: before.partialApprovals };
    const to = { timeZone, partialApprovals };
    if (isDeepStrictEqual(from, to)) return from;
    await setSettings(transaction, input.id, to);
    if (timeZone !== from.timeZone) {
      const change = { organizationId: input.id, timeZone, now: ctx.clock.now() };
      for (const { timeZoneChanged } of ctx.organizationHooks) await timeZoneChanged?.(transaction, change);
    }
    const changed = { organizationId: input.id, subject: input.id };
    audit(ctx, transaction, { ...changed, details: { from, to } });
    await recordEvent<OrganizationEvent>(ctx, transaction, {
      ...changed,
      type: "organization.settings_updated",
      data: to,
    });
    return to;
  });
}
