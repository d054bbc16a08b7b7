import { Text } from "@mantine/core";
import type { CardListItem } from "@purser/client";
import { DateTime } from "../../../components/date-time.tsx";
import { Meter } from "../../../components/meter.tsx";
import { intervalNames, limitInWords } from "../../../data/card-words.ts";
import { inWords } from "../../../data/format.ts";

/** What people call a card. */
export const cardName = ({ nickname, purpose }: Pick<CardListItem, "nickname" | "purpose">): string =>
  nickname ?? `${inWords(purpose)} card`;

/** What is left of the tightest limit of a card. */
export function CardLimit({ card, isExact = false }: { card: CardListItem; isExact?: boolean }) {
  const { limit, interval, used, resetsAt } = card.spending;
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
        label={`Used of the limit: ${intervalNames[interval]}`}
      />
      {isExact && (
        <Text size="xs" c="dimmed" mt={4}>
          {intervalNames[interval]}
          {resetsAt !== null && (
            <>
              . Begins anew <DateTime at={resetsAt} />
            </>
          )}
        </Text>
      )}
    </div>
  );
}
