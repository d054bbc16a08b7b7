import type { CardPolicyDraft } from "@purser/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useOrganization } from "./organization.ts";
import {
  type DeclinedPurchase,
  type Question,
  type Verdict,
  questionsOf,
  verdictOf,
} from "./purchase-now.ts";
import { queries } from "./purser.ts";

/**
 * What a declined purchase would meet now: with its card as it is, or as if the card followed a draft. Undefined until the
 * service has answered. While the next answer is on its way, the last one stays.
 */
export function useVerdict(
  purchase: DeclinedPurchase,
  policy?: CardPolicyDraft,
): { verdict: Verdict | undefined; error: unknown; isFetching: boolean; refetch: () => unknown } {
  const { cardId } = purchase;
  const questions = questionsOf(purchase);
  // The client sends them in one request, and what is the same is asked once.
  const base = useAnswer(cardId, questions.base, policy);
  const online = useAnswer(cardId, questions.online, policy);
  const abroad = useAnswer(cardId, questions.abroad, policy);
  return {
    verdict: base.data && online.data && abroad.data && verdictOf(base.data, online.data, abroad.data),
    error: base.error ?? online.error ?? abroad.error,
    isFetching: base.isFetching || online.isFetching || abroad.isFetching,
    refetch: () => Promise.all([base, online, abroad].map(({ refetch }) => refetch())),
  };
}

function useAnswer(cardId: string, question: Question, policy: CardPolicyDraft | undefined) {
  const { organizationId } = useOrganization();
  return useQuery({
    ...queries.cards.policies.check.queryOptions({
      organizationId,
      cardId,
      ...question,
      ...(policy !== undefined && { policy }),
    }),
    placeholderData: keepPreviousData,
    // What is left of a limit changes with the time alone, so no answer is kept.
    gcTime: 0,
    staleTime: 0,
  });
}
