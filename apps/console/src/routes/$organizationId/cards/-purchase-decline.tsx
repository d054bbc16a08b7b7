import { Alert, Stack, Text } from "@mantine/core";
import {
  type CardListItem,
  type CardTransaction,
  type ExplainedCardDecision,
  isRefused,
} from "@purser/client";
import { IconInfoCircle } from "@tabler/icons-react";
import { Meter } from "../../../components/meter.tsx";
import { limitSentence, reasonInWords } from "../../../data/card-labels.ts";
import { useCategoryWords } from "../../../data/merchant-categories.ts";
import { useOrganization } from "../../../data/organization.ts";
import { withPurchaseWords } from "../../../data/purchase-now.ts";
import { PurchaseNow } from "./-purchase-now.tsx";

/** Why a purchase was declined then, and what the same purchase would meet now. */
export function Decline({
  card,
  transaction,
  reason,
  decision,
}: {
  card: CardListItem;
  transaction: CardTransaction;
  reason: string;
  decision: ExplainedCardDecision;
}) {
  const { timeZone } = useOrganization();
  const categoryInWords = useCategoryWords();
  const { title, past, advice } = reasonInWords(reason);
  const isEnded = !isRefused(transaction);
  const { merchantName, merchantCategory } = transaction;
  const limit = limitSentence(decision, card.currency, timeZone);
  const category = merchantCategory && categoryInWords(merchantCategory);
  const sentence = past && withPurchaseWords(past, merchantName, category);
  return (
    <>
      <Alert
        color={isEnded ? "gray" : "red"}
        variant="light"
        title={isEnded ? "Why nothing was paid" : "Why it was declined"}
        icon={<IconInfoCircle />}
      >
        <Stack gap={6}>
          <Text size="sm">{limit ?? sentence ?? `${title}.`}</Text>
          {limit !== null && <Used decision={decision} currency={card.currency} />}
          {advice !== undefined && <Text size="sm">{advice}</Text>}
        </Stack>
      </Alert>
      {decision.canCheck && <PurchaseNow card={card} transaction={transaction} />}
    </>
  );
}

function Used({
  decision: { used, limit, interval },
  currency,
}: {
  decision: ExplainedCardDecision;
  currency: string;
}) {
  if (used === null || limit === null || interval === "PER_TRANSACTION") return null;
  return (
    <Meter used={used} limit={limit} currency={currency} label="Used of the limit before this purchase" />
  );
}
