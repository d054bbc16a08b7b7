import type { CardPolicyDraft, CardTransaction, CheckedPurchase } from "@purser/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useOrganization } from "./organization.ts";
import { queries } from "./purser.ts";

/**
 * What a declined purchase would meet now: with its card as it is, or as if the card followed a draft. Undefined until the
 * service has answered. While the next answer is on its way, the last one stays.
 */
export function useVerdict(
  purchase: CardTransaction,
  policy?: CardPolicyDraft,
): {
  verdict: CheckedPurchase | undefined;
  /** Whether the verdict is still that of an earlier draft. */
  isEarlier: boolean;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
} {
  const { organizationId } = useOrganization();
  const { id: transactionId, cardId, amount, merchantName: name } = purchase;
  const { merchantId, merchantCategory } = purchase;
  const explained = useQuery(
    queries.cards.transactions.explain.queryOptions({ organizationId, transactionId }),
  );
  const { channel = "online", merchantCountry = null, requestedAmount } = explained.data ?? {};
  const checked = useQuery({
    ...queries.cards.policies.check.queryOptions({
      organizationId,
      cardId,
      // What was asked for: of an approval in part, the transaction has the part.
      amount: requestedAmount ?? amount,
      channel,
      merchant: {
        name,
        ...(merchantId !== null && { id: merchantId }),
        ...(merchantCategory !== null && { category: merchantCategory }),
        ...(merchantCountry !== null && { country: merchantCountry }),
      },
      ...(policy !== undefined && { policy }),
    }),
    enabled: explained.data !== undefined,
    placeholderData: keepPreviousData,
    // What is left of a limit changes with the time alone, so no answer is kept.
    gcTime: 0,
    staleTime: 0,
  });
  return {
    verdict: checked.data,
    isEarlier: checked.isPlaceholderData,
    error: explained.error ?? checked.error,
    isFetching: explained.isFetching || checked.isFetching,
    refetch: () => (explained.data === undefined ? explained.refetch() : checked.refetch()),
  };
}
