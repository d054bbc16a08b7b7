import {
  BillingEvent,
  ListBillingEvents,
  ReplayEvent,
  listBillingEvents,
  replayEvent,
} from "@purser/billing/events";
import { z } from "zod";
import { asAdministrator, userProcedure } from "../trpc.ts";

export const events = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/billing/events" },
      summary: "Lists the webhook events of payment providers with their processing status, newest first.",
      access: "administrator",
      returns: "A page of the events, newest first.",
      errors: ["FORBIDDEN"],
    })
    .input(ListBillingEvents.prefault({}))
    .output(z.array(BillingEvent))
    .use(asAdministrator)
    .query(({ ctx, input }) => listBillingEvents(ctx, input)),

  replay: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/billing/events/replay" },
      summary: "Processes a webhook event again, in any status.",
      access: "administrator",
      returns: "The event, PENDING until it is processed.",
      errors: ["FORBIDDEN", "WEBHOOK_EVENT_NOT_FOUND"],
    })
    .input(ReplayEvent)
    .output(BillingEvent)
    .use(asAdministrator)
    .mutation(({ ctx, input }) => replayEvent(ctx, input)),
};
