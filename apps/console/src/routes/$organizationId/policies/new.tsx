import { createFileRoute } from "@tanstack/react-router";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { usePolicyCurrencies } from "../../../data/card-currency.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser } from "../../../data/purser.ts";
import { PolicyEditor } from "./-policy-editor.tsx";

export const Route = createFileRoute("/$organizationId/policies/new")({ component: NewPolicy });

function NewPolicy() {
  const { organizationId } = useOrganization();
  const navigate = Route.useNavigate();
  const { currencies, failed } = usePolicyCurrencies();
  return (
    <Page title="New policy" description="It allows whatever it does not restrict.">
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : currencies === undefined ? (
        <Rows />
      ) : (
        <PolicyEditor
          currencies={currencies}
          save={(draft, _, attempt) => purser.cards.policies.create({ organizationId, ...draft }, attempt)}
          done="The policy is created"
          next={() => navigate({ to: "/$organizationId/policies", params: { organizationId } })}
        />
      )}
    </Page>
  );
}
