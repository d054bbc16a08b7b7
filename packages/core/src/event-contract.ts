import { z } from "zod";
import { type EventSubject, type EventType, eventSubjects } from "./event-types.ts";
import { exampleIds, explained, sharedFields } from "./explained.ts";

/** The fields of the user or the key that did something. */
export const actorFields = {
  id: z.string().meta(explained("The id of the user, or of the organization's key.", exampleIds.user)),
  name: z.string().meta(explained("The name of the user or the key at that time.", "Demo Owner")),
};

const actor = z
  .object(actorFields)
  .nullable()
  .meta(
    explained(
      "Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did.",
    ),
  );

/**
 * The contract of one type of event. Each area lists its own in `feed-events/contract.ts`, beside the contracts that their
 * `data` has.
 *
 * @example
 * eventContract("card.created", Card, "A card was issued.");
 */
export function eventContract<Type extends EventType, Data extends z.ZodType>(
  type: Type,
  data: Data,
  description: string,
) {
  const subject: (typeof eventSubjects)[Type] = eventSubjects[type];
  return z
    .object({
      id: z.string().meta(explained("The event's id.", exampleIds.evt)),
      organizationId: z.string().meta(sharedFields.organizationId),
      type: z.literal(type).meta(explained("What happened.", type)),
      createdAt: z.date().meta(explained("When it happened.", new Date("2026-03-18T19:48:36.000Z"))),
      actor,
      subject: z
        .object({
          type: z.literal(subject).meta(explained("The kind of the subject.", subject)),
          id: z.string().meta(explained("The id of the subject.", exampleOf[subject])),
        })
        .meta(explained("What it happened to.")),
      data: data.meta(explained("The subject as it was right after the event, without secrets.")),
    })
    .meta({ id: nameOf(type), description });
}

/** `card_transaction.approved` → `CardTransactionApprovedEvent`. */
function nameOf(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

const exampleOf: Readonly<Record<EventSubject, string>> = {
  organization: exampleIds.org,
  member: exampleIds.mem,
  invitation: exampleIds.inv,
  bank_connection: exampleIds.bcn,
  bank_account: exampleIds.bac,
  card: exampleIds.card,
  card_policy: exampleIds.pol,
  card_transaction: exampleIds.ctx,
  subscription: exampleIds.sub,
  webhook_endpoint: exampleIds.whe,
  api_key: exampleIds.key,
};
