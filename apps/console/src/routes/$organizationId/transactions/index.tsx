import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { csvUrl } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { Empty } from "../../../components/empty.tsx";
import { Page } from "../../../components/page.tsx";
import { baseUrl } from "../../../data/base-url.ts";
import { useDetailNavigation } from "../../../data/detail-navigation.ts";
import { allAccounts } from "../../../data/lists.ts";
import { TransactionDetails } from "./-details.tsx";
import { TransactionFilters } from "./-filters.tsx";
import {
  type TransactionSearch,
  hasOrderedRanges,
  listInput,
  readTransactionSearch,
  withoutUndefined,
} from "./-search.ts";
import { TransactionSums } from "./-sums.tsx";
import { TransactionTable } from "./-table.tsx";

export const Route = createFileRoute("/$organizationId/transactions/")({
  validateSearch: readTransactionSearch,
  component: Transactions,
});

function Transactions() {
  const { organizationId } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const changeEntry = useDetailNavigation();
  const accounts = useQuery(allAccounts(organizationId));
  const input = listInput(organizationId, search);
  const isOrdered = hasOrderedRanges(search);
  const change = (changed: { [Name in keyof TransactionSearch]: TransactionSearch[Name] | undefined }) =>
    changeEntry(search.selected, "selected" in changed ? changed.selected : search.selected, (entry) =>
      navigate({
        search: (before) => withoutUndefined({ ...before, ...changed }),
        ...entry,
        resetScroll: false,
      }),
    );
  return (
    <Page
      title="Transactions"
      actions={
        isOrdered && (
          <Button
            component="a"
            href={csvUrl(baseUrl, "banking.transactions.list", input)}
            download
            variant="default"
            leftSection={<IconDownload size={16} />}
          >
            Download CSV
          </Button>
        )
      }
    >
      <TransactionFilters
        search={search}
        accounts={accounts.data ?? []}
        onChange={change}
        onReset={() => void navigate({ search: {}, replace: true })}
      />
      <TransactionSums search={search} />
      {isOrdered ? (
        <TransactionTable
          key={JSON.stringify(input)}
          input={input}
          isFiltered={Object.keys(search).some((name) => name !== "selected")}
          selected={search.selected}
          onOpen={(selected) => change({ selected })}
        />
      ) : (
        <Empty title="No transactions match">
          The last day is before the first one, or the maximum amount is less than the minimum.
        </Empty>
      )}
      <TransactionDetails transactionId={search.selected} onClose={() => change({ selected: undefined })} />
    </Page>
  );
}
