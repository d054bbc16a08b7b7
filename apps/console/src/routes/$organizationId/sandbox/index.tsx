import { Alert } from "@mantine/core";
import { createFileRoute, notFound } from "@tanstack/react-router";
import { PageTabs } from "../../../components/page-tabs.tsx";
import { Page } from "../../../components/page.tsx";
import { useOrganization } from "../../../data/organization.ts";
import { hasSandbox } from "../../../data/sandbox.ts";
import { BankFaults } from "./-bank-faults.tsx";
import { BankTransactions } from "./-bank-transactions.tsx";
import { BillingClock } from "./-billing-clock.tsx";
import { Purchases } from "./-purchases.tsx";

const tabs = ["cards", "bank", "billing"] as const;
type Tab = (typeof tabs)[number];

export const Route = createFileRoute("/$organizationId/sandbox/")({
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: Tab } => {
    const found = tabs.find((value) => value === tab);
    return found === undefined ? {} : { tab: found };
  },
  beforeLoad: () => {
    if (!hasSandbox()) throw notFound();
  },
  component: Sandbox,
});

function Sandbox() {
  const { can } = useOrganization();
  const { tab = "cards" } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Page
      title="Sandbox"
      description="Plays the card network, the bank and the payment provider. It works only with cards, banks and subscriptions of the sandbox."
    >
      {!can("sandbox.cards.authorize") && (
        <Alert color="orange" title="Only owners play the card network, the bank and the payment provider">
          Ask an owner of the organization to buy something with your card.
        </Alert>
      )}
      <PageTabs
        label="What the sandbox plays"
        tabs={[
          { name: "cards", label: "Card network", content: <Purchases /> },
          {
            name: "bank",
            label: "Bank",
            content: (
              <>
                <BankTransactions />
                <BankFaults />
              </>
            ),
          },
          { name: "billing", label: "Payment provider", content: <BillingClock /> },
        ]}
        open={tab}
        onOpen={(name: Tab) => void navigate({ search: { tab: name } })}
      />
    </Page>
  );
}
