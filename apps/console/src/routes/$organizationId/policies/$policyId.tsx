import { type CardTransaction, isRefused } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { Link, createFileRoute } from "@tanstack/react-router";
import { Empty } from "../../../components/empty.tsx";
import { TextLink } from "../../../components/links.tsx";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { usePolicyCurrencies } from "../../../data/card-currency.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { lastDigits } from "../../../data/format.ts";
import { allCards, allPolicies } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { chosen, textOf } from "../../../data/search.ts";
import { PolicyEditor } from "./-policy-editor.tsx";

interface Search {
  /** The term that a declined purchase needs changed. */
  term?: string;
  /** The declined purchase that should pass. */
  purchase?: string;
}

export const Route = createFileRoute("/$organizationId/policies/$policyId")({
  validateSearch: ({ term, purchase }: Record<string, unknown>): Search =>
    chosen({ term: textOf(term), purchase: textOf(purchase) }),
  component: Policy,
});

function Policy() {
  const { policyId } = Route.useParams();
  const { term } = Route.useSearch();
  const navigate = Route.useNavigate();
  const carried = useCarriedPurchase();
  const { organizationId } = useOrganization();
  const policies = useQuery(allPolicies(organizationId));
  const cards = useQuery(allCards(organizationId));
  const { currencies, failed: unknown } = usePolicyCurrencies(policyId);
  const policy = policies.data?.find(({ id }) => id === policyId);
  const failed = failedQuery(policies, cards) ?? unknown;
  const used = cards.data?.filter((card) => card.policy.id === policyId && card.status !== "CLOSED") ?? [];
  return (
    <Page
      title={policy?.name ?? "Policy"}
      description={
        used.length > 0 && (
          <>
            Used by{" "}
            {used.map(({ id, nickname, lastFour }, index) => (
              <span key={id}>
                {index > 0 && ", "}
                <Link
                  to="/$organizationId/cards/$cardId"
                  params={{ organizationId, cardId: id }}
                  style={{ color: "var(--mantine-color-anchor)" }}
                >
                  {nickname ?? lastDigits(lastFour)}
                </Link>
              </span>
            ))}
          </>
        )
      }
    >
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : policies.isPending || currencies === undefined || carried === "loading" ? (
        <Rows />
      ) : policy === undefined ? (
        <Empty title="There is no such policy">
          <TextLink inherit underline="always" to="/$organizationId/policies" params={{ organizationId }}>
            See all policies
          </TextLink>
        </Empty>
      ) : (
        <PolicyEditor
          key={policyId}
          stored={policy}
          currencies={currencies}
          term={term}
          purchase={carried}
          save={(_, changes) => purser.cards.policies.update({ organizationId, policyId, ...changes })}
          done="The policy is changed. It counts from the next purchase on."
          {...(carried !== undefined && {
            next: () =>
              navigate({
                to: "/$organizationId/cards/$cardId",
                params: { organizationId, cardId: carried.cardId },
                search: { purchase: carried.id },
              }),
          })}
        />
      )}
    </Page>
  );
}

/** The purchase of the address. Undefined if there is none, or it was not declined. */
function useCarriedPurchase(): CardTransaction | "loading" | undefined {
  const { organizationId } = useOrganization();
  const { purchase: transactionId = "" } = Route.useSearch();
  const explained = useQuery({
    ...queries.cards.transactions.explain.queryOptions({ organizationId, transactionId }),
    enabled: transactionId !== "",
  });
  if (explained.isLoading) return "loading";
  const transaction = explained.data?.transaction;
  return transaction !== undefined && isRefused(transaction) ? transaction : undefined;
}
