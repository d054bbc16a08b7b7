import type { Transaction } from "@purser/db";
import { findUsers } from "@purser/identity/users";
import type { Platform } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import { type Mail, singleLine } from "@purser/platform/mail";
import { listOwnerRows } from "../store.ts";

/** Sends a mail to each owner of an organization after the transaction commits. `write` gets the organization's name. */
export async function mailOwners(
  { outbox }: Pick<Platform, "outbox">,
  transaction: Transaction,
  organizationId: string,
  write: (organizationName: string) => Omit<Mail, "to">,
): Promise<void> {
  const owners = await listOwnerRows(transaction, organizationId);
  const users = await findUsers(
    transaction,
    owners.map(({ userId }) => userId),
  );
  const mails = owners.flatMap(({ userId, organizationName }) => {
    const user = users.get(userId);
    // An earlier version accepted names with line breaks.
    return user === undefined ? [] : [{ to: user.email, ...write(singleLine(organizationName)) }];
  });
  await outbox.enqueueAll(transaction, platformJobs.sendMail, mails);
}
