import { Text } from "@mantine/core";
import type { CardListItem, CardPurpose } from "@purser/client";
import { DateTime } from "../../../components/date-time.tsx";
import { Meter } from "../../../components/meter.tsx";
import { intervalNames, limitInWords } from "../../../data/card-labels.ts";
import { inWords, lastDigits } from "../../../data/format.ts";

/** What a card is for, in the same words wherever it is chosen or shown. */
export const purposeNames: Record<CardPurpose, string> = {
  BUSINESS: "Company expenses, such as travel",
  PERSONAL: "A person’s own expenses",
  ONLINE: "Online purchases",
  SUBSCRIPTION: "Recurring payments, such as software",
};

/** What people call a card. */
export const cardName = ({ nickname, purpose }: Pick<CardListItem, "nickname" | "purpose">): string =>
  nickname ?? `${inWords(purpose)} card`;

export const holderName = ({ assignedTo: { name, email } }: Pick<CardListItem, "assignedTo">): string =>
  name ?? email;

/** A card in a list to choose from: its name or its holder, and the end of its number. */
export const cardLabel = (card: Pick<CardListItem, "nickname" | "assignedTo" | "lastFour">): string =>
  `${card.nickname ?? holderName(card)} ${lastDigits(card.lastFour)}`;

/** A card and who holds it, as a line under a purchase. */
export const cardAndHolder = (card: CardListItem): string =>
  `${cardName(card)} ${lastDigits(card.lastFour)}, ${holderName(card)}`;

/** What is left of the tightest limit of a card. */
export function CardLimit({ card, isExact = false }: { card: CardListItem; isExact?: boolean }) {
  const { limit, interval, used, resetsAt, isNearLimit } = card.spending;
  if (limit === null || interval === null)
    return (
      <Text size="sm" c="dimmed">
        No limit
      </Text>
    );
  if (interval === "PER_TRANSACTION")
    return <Text size="sm">{limitInWords(limit, interval, card.currency)}</Text>;
  return (
    <div style={{ width: "100%" }}>
      <Meter
        used={used}
        limit={limit}
        currency={card.currency}
        isNear={isNearLimit}
        label={`Used of the limit: ${intervalNames[interval]}`}
      />
      {isExact && (
        <Text size="xs" c="dimmed" mt={4}>
          {intervalNames[interval]}
          {resetsAt !== null && (
            <>
              . Resets <DateTime at={resetsAt} />
            </>
          )}
        </Text>
      )}
    </div>
  );
}
