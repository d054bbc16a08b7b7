import { useQuery } from "@tanstack/react-query";
import { Link, createFileRoute } from "@tanstack/react-router";
import { Empty } from "../../../components/empty.tsx";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { usePolicyCurrencies } from "../../../data/card-currency.ts";
import type { PolicyField } from "../../../data/card-words.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { valuesOfPolicy } from "./-policy-draft.ts";
import { PolicyEditor } from "./-policy-editor.tsx";

const fields: readonly PolicyField[] = ["limits", "merchants", "categories", "days", "channels", "period"];

export const Route = createFileRoute("/$organizationId/policies/$policyId")({
  validateSearch: ({ field }: Record<string, unknown>): { field?: PolicyField } => {
    const found = fields.find((value) => value === field);
    return found === undefined ? {} : { field: found };
  },
  component: Policy,
});

function Policy() {
  const { policyId } = Route.useParams();
  const { field } = Route.useSearch();
  const { organizationId, timeZone } = useOrganization();
  const policies = useQuery(queries.cards.policies.list.queryOptions({ organizationId }));
  const cards = useQuery(queries.cards.list.queryOptions({ organizationId }));
  const { currency, others } = usePolicyCurrencies(policyId);
  const policy = policies.data?.find(({ id }) => id === policyId);
  const failed = policies.isError ? policies : cards.isError ? cards : undefined;
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
                  {nickname ?? `•••• ${lastFour}`}
                </Link>
              </span>
            ))}
          </>
        )
      }
    >
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : policies.isPending || cards.isPending ? (
        <Rows />
      ) : policy === undefined ? (
        <Empty title="There is no such policy">
          <Link to="/$organizationId/policies" params={{ organizationId }}>
            See all policies
          </Link>
        </Empty>
      ) : (
        <PolicyEditor
          key={policyId}
          initialValues={valuesOfPolicy(policy, { currency, timeZone })}
          stored={policy}
          currency={currency}
          otherCurrencies={others}
          field={field}
          save={(draft) => purser.cards.policies.update({ organizationId, policyId, ...draft })}
          done="The policy is changed. It counts from the next purchase on."
        />
      )}
    </Page>
  );
}
