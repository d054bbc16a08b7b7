import type { OutboxState } from "@purser/platform/outbox";
import type { Service } from "@purser/service";
import { Command, InvalidArgumentError, Option } from "commander";
import { NotFound } from "../exit-code.ts";
import { counted, printFields, printLine } from "../output.ts";
import { withService } from "../session.ts";
import { type ListOptions, asList, showList } from "./listing.ts";

const states: Record<OutboxState, string> = {
  waiting: "not run yet",
  running: "running now",
  retrying: "failed, will run again with increasing delays",
  done: "succeeded; deleted after a day",
  dead: "failed in all attempts; deleted after 90 days",
};

export function outboxCommand(): Command {
  const outbox = new Command("outbox").description("inspect and retry background jobs, such as mail");
  asList(outbox.command("list"))
    .description("list the newest jobs, without their data")
    .addOption(new Option("--state <state>", "only jobs in this state").choices(Object.keys(states)))
    .addHelpText(
      "after",
      `
States:
${Object.entries(states)
  .map(([state, meaning]) => `  ${state.padEnd(9)} ${meaning}`)
  .join("\n")}

Examples:
  $ pnpm purser outbox list --state dead
  $ pnpm purser outbox list --limit 1000 --json`,
    )
    .action((options: ListOptions & { state?: OutboxState }, command: Command) =>
      withService(command, async ({ platform }) => {
        const { listOutbox } = await import("@purser/platform/outbox");
        const columns = ["id", "job", "state", "attempts", "createdAt", "nextAt", "lastError"] as const;
        await showList((limit) => listOutbox(platform.db, { ...options, limit }), columns, options);
      }),
    );
  outbox
    .command("show")
    .description("show one job, with recipient and subject; tokens are masked")
    .argument("<id>", "the id of a job", jobId)
    .option("--json", "print JSON")
    .action((id: string, options: { json?: boolean }, command: Command) =>
      withService(command, async ({ platform }) => {
        const { showJob } = await import("@purser/platform/outbox");
        const entry = await showJob(platform.db, platform.settings.encryptionKeys, id);
        if (entry === null) throw new NotFound(`There is no job ${id}`);
        printFields(entry, options);
      }),
    );
  forDead(outbox.command("replay"), "will run again", ({ replayJob }, { platform, handlers }, id) =>
    replayJob(platform.db, handlers, id),
  )
    .description("run dead jobs again, with a full set of attempts")
    .addHelpText(
      "after",
      `
The service runs them within ten seconds. Jobs of a kind that this version does not have stay dead.

Examples:
  $ pnpm purser outbox replay 6f1c1d0e-3a52-4c1e-9a3f-0d4a5b6c7d8e
  $ pnpm purser outbox replay --dead`,
    );
  forDead(outbox.command("discard"), "will never run", ({ discardJob }, { platform, handlers }, id) =>
    discardJob(platform.db, handlers, id),
  )
    .description("delete dead jobs, or named ones of a kind that this version does not have")
    .addHelpText("after", "\nExample:\n  $ pnpm purser outbox discard 6f1c1d0e-3a52-4c1e-9a3f-0d4a5b6c7d8e");
  return outbox;
}

type Outbox = typeof import("@purser/platform/outbox");

/** Applies the function to each named job, or to all dead ones. */
function forDead(
  command: Command,
  outcome: string,
  apply: (outbox: Outbox, open: Service, id: string) => Promise<boolean>,
): Command {
  return command
    .argument("[id...]", "the ids of jobs", (id: string, before?: string[]) => [...(before ?? []), jobId(id)])
    .option("--dead", "all dead jobs")
    .action((ids: string[], { dead = false }: { dead?: boolean }) => {
      if (dead === ids.length > 0) command.error("error: pass the ids of jobs, or --dead for all");
      return withService(command, async (open) => {
        const outbox = await import("@purser/platform/outbox");
        const { db } = open.platform;
        const named = dead
          ? (await outbox.listOutbox(db, { state: "dead", limit: 1_000_000 })).map(({ id }) => id)
          : ids;
        const missing: string[] = [];
        for (const id of named) if (!(await apply(outbox, open, id))) missing.push(id);
        printLine(`${counted(named.length - missing.length, "job", "jobs")} ${outcome}.`);
        const kinds = await kindsOfDead(outbox, open, missing);
        if (kinds.length > 0)
          process.stderr.write(
            `This version does not have the kind ${kinds.join(" or ")}. Its jobs stay dead: replay them with a version that has it, or discard them.\n`,
          );
        if (missing.length > 0 && !dead)
          throw new NotFound(`There is no job to ${command.name()} with the id ${missing.join(" or ")}`);
      });
    });
}

/** The kinds of those of the jobs that are dead although a command was applied to them. */
async function kindsOfDead(outbox: Outbox, { platform }: Service, ids: readonly string[]): Promise<string[]> {
  const kinds = new Set<string>();
  for (const id of ids) {
    const entry = await outbox.showJob(platform.db, platform.settings.encryptionKeys, id);
    if (entry?.state === "dead") kinds.add(entry.job);
  }
  return [...kinds];
}

function jobId(text: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError('It is not the id of a job, which "purser outbox list" shows.');
}
