import { Button } from "@mantine/core";
import { referenceUrl } from "@purser/client";
import { IconBook } from "@tabler/icons-react";
import { createFileRoute } from "@tanstack/react-router";
import { PageTabs } from "../../../components/page-tabs.tsx";
import { Page } from "../../../components/page.tsx";
import { baseUrl } from "../../../data/base-url.ts";
import { useDetailNavigation } from "../../../data/detail-navigation.ts";
import { useOrganization } from "../../../data/organization.ts";
import { chosen, readOneOf, textOf, textsOf } from "../../../data/search.ts";
import { Deliveries } from "./-deliveries.tsx";
import { deliveryStatuses } from "./-delivery-statuses.ts";
import { Endpoints } from "./-endpoints.tsx";
import { EventLog } from "./-event-log.tsx";
import { OrganizationKeys } from "./-organization-keys.tsx";

const tabs = ["keys", "webhooks", "deliveries", "events"] as const;

export const Route = createFileRoute("/$organizationId/developers/")({
  validateSearch: ({ tab, endpoint, status, delivery, types, event }: Record<string, unknown>) =>
    chosen({
      tab: readOneOf(tabs, tab),
      endpoint: textOf(endpoint),
      status: readOneOf(deliveryStatuses, status),
      delivery: textOf(delivery),
      types: textsOf(types),
      event: textOf(event),
    }),
  component: Developers,
});

function Developers() {
  const { can } = useOrganization();
  const { tab: chosenTab, endpoint, status, delivery, types, event } = Route.useSearch();
  const navigate = Route.useNavigate();
  const changeEntry = useDetailNavigation();
  const all = [
    { name: "keys", label: "API keys", reads: "keys.list", content: <OrganizationKeys /> },
    {
      name: "webhooks",
      label: "Webhooks",
      reads: "webhookEndpoints.list",
      content: (
        <Endpoints onDeliveries={(id) => void navigate({ search: { tab: "deliveries", endpoint: id } })} />
      ),
    },
    {
      name: "deliveries",
      label: "Deliveries",
      reads: "webhookEndpoints.deliveries.list",
      content: (
        <Deliveries
          {...chosen({ endpoint, status, delivery })}
          onFilter={(filter) =>
            changeEntry(delivery, filter.delivery, (entry) =>
              navigate({
                search: chosen({ tab: "deliveries" as const, ...filter }),
                ...entry,
                resetScroll: false,
              }),
            )
          }
        />
      ),
    },
    {
      name: "events",
      label: "Events",
      reads: "events.list",
      content: (
        <EventLog
          {...chosen({ types, event })}
          onFilter={(filter) =>
            changeEntry(event, filter.event, (entry) =>
              navigate({
                search: chosen({ tab: "events" as const, ...filter }),
                ...entry,
                resetScroll: false,
              }),
            )
          }
        />
      ),
    },
  ] as const;
  const shown = all.filter(({ reads }) => can(reads));
  const tab = chosenTab ?? shown[0]!.name;
  return (
    <Page
      title="Developers"
      description="Let your own programs read and write what this organization has in Purser."
      actions={
        <Button
          component="a"
          href={referenceUrl(baseUrl)}
          variant="default"
          leftSection={<IconBook size={16} />}
        >
          API reference
        </Button>
      }
    >
      <PageTabs
        label="Parts for developers"
        tabs={shown}
        open={shown.some(({ name }) => name === tab) ? tab : "events"}
        onOpen={(name) => void navigate({ search: { tab: name } })}
      />
    </Page>
  );
}
