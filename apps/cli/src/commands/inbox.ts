import { webhookAreas } from "@purser/core/allowed-values";
import type { InboxStatus, WebhookKey } from "@purser/platform/inbox";
import { Argument, Command, Option } from "commander";
import { NotFound } from "../exit-code.ts";
import { printFields, printLine } from "../output.ts";
import { withService } from "../session.ts";
import { type ListOptions, asList, showList } from "./listing.ts";

const statuses: Record<InboxStatus, string> = {
  PENDING: "not applied yet",
  APPLIED: "applied",
  IGNORED: "not relevant to this service",
  DEAD: "failed in all attempts",
};

export function inboxCommand(): Command {
  const inbox = new Command("inbox").description("inspect and retry webhook events");
  asList(inbox.command("list"))
    .description("list the newest events, without their bodies")
    .addOption(new Option("--status <status>", "only events with this status").choices(Object.keys(statuses)))
    .addHelpText(
      "after",
      `
Statuses:
${Object.entries(statuses)
  .map(([status, meaning]) => `  ${status.padEnd(8)} ${meaning}`)
  .join("\n")}

Example:
  $ pnpm purser inbox list --status DEAD`,
    )
    .action((options: ListOptions & { status?: InboxStatus }, command: Command) =>
      withService(command, async ({ platform }) => {
        const { listWebhooks } = await import("@purser/platform/inbox");
        const columns = [
          "area",
          "provider",
          "eventId",
          "type",
          "status",
          "attempts",
          "receivedAt",
          "lastError",
        ] as const;
        await showList((limit) => listWebhooks(platform.db, { ...options, limit }), columns, options);
      }),
    );
  named(inbox.command("show"))
    .description("show one event with its body; tokens are masked")
    .option("--json", "print JSON")
    .action((...[area, provider, eventId, options, command]: NamedAction<{ json?: boolean }>) =>
      withService(command, async ({ platform }) => {
        const { showWebhook } = await import("@purser/platform/inbox");
        const key = { area, provider, eventId };
        const event = await showWebhook(platform.db, platform.settings.encryptionKeys, key);
        if (event === null) throw noSuchEvent(key);
        printFields(event, options);
      }),
    );
  named(inbox.command("replay"))
    .description("apply one event again, in any status")
    .addHelpText(
      "after",
      "\nExample:\n  $ pnpm purser inbox replay billing stripe evt_1NG8Du2eZvKYlo2CUI79vXWy",
    )
    .action((...[area, provider, eventId, , command]: NamedAction<object>) =>
      withService(command, async ({ platform }) => {
        const { replayWebhook } = await import("@purser/platform/inbox");
        const key = { area, provider, eventId };
        if (!(await replayWebhook(platform, key))) throw noSuchEvent(key);
        printLine(`The event ${eventId} will be applied again.`);
      }),
    );
  named(inbox.command("discard"))
    .description("ignore one dead event permanently")
    .action((...[area, provider, eventId, , command]: NamedAction<object>) =>
      withService(command, async ({ platform }) => {
        const { discardWebhook } = await import("@purser/platform/inbox");
        const key = { area, provider, eventId };
        if (!(await discardWebhook(platform, key))) throw noSuchEvent(key, "dead ");
        printLine(`The event ${eventId} is ignored.`);
      }),
    );
  return inbox;
}

type NamedAction<Options> = [WebhookKey["area"], string, string, Options, Command];

function named(command: Command): Command {
  return command
    .addArgument(new Argument("<area>").choices(webhookAreas))
    .argument("<provider>")
    .argument("<event-id>", "the provider's id of the event");
}

function noSuchEvent({ area, provider, eventId }: WebhookKey, kind = ""): NotFound {
  return new NotFound(`There is no ${kind}event ${eventId} of ${provider} for ${area}`);
}
