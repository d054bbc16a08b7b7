import type { CardListItem, CardStatus } from "@purser/client";
import { announceProblem, useAction } from "../../../data/action.tsx";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";

const done: Record<CardStatus, string> = {
  ACTIVE: "The card works again",
  PAUSED: "The card is paused",
  FROZEN: "The card is frozen",
  CLOSED: "The card is closed",
};

/** Changes the status of a card. `close` has no way back, so it asks nothing and offers no undo: confirm it before. */
export function useCardStatus({ id: cardId, status: before }: CardListItem) {
  const { organizationId } = useOrganization();
  const set = (status: CardStatus) => purser.cards.updateStatus({ organizationId, cardId, status });
  const undo = async (changedTo: CardStatus) => {
    const { status } = await purser.cards.get({ organizationId, cardId });
    if (status === changedTo) await set(before);
    else announceProblem(undefined, ["The card has been changed since then, and stays as it is."]);
  };
  const reads = { invalidates: [queries.cards.list, queries.cards.get, queries.cards.policies.check] };
  const change = useAction(set, {
    ...reads,
    done: (_, status) => done[status],
    undo: (_, status) => undo(status),
  });
  const close = useAction(() => set("CLOSED"), { ...reads, done: done.CLOSED });
  return { change, close };
}

/** What pausing and freezing do, and who can take them back. */
export const stopWords = {
  PAUSED: "Pause declines every purchase until the holder or an owner resumes the card.",
  FROZEN: "Freeze declines every purchase until an owner unfreezes the card.",
} as const;
