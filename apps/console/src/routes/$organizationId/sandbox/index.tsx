import { Alert, Tabs } from "@mantine/core";
import { createFileRoute, notFound } from "@tanstack/react-router";
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
  const { isOwner } = useOrganization();
  const { tab = "cards" } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Page
      title="Sandbox"
      description="Plays the card network, the bank and the payment provider. It works with cards, banks and subscriptions of the sandbox alone."
    >
      {!isOwner && (
        <Alert color="orange" title="Only owners play the bank and the payment provider">
          You can buy with a card of your own.
        </Alert>
      )}
      <Tabs
        value={tab}
        onChange={(value) => void navigate({ search: { tab: value as Tab } })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="cards">Card network</Tabs.Tab>
          <Tabs.Tab value="bank">Bank</Tabs.Tab>
          <Tabs.Tab value="billing">Payment provider</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="cards">
          <Purchases />
        </Tabs.Panel>
        <Tabs.Panel value="bank">
          <BankTransactions />
          <BankFaults />
        </Tabs.Panel>
        <Tabs.Panel value="billing">
          <BillingClock />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
