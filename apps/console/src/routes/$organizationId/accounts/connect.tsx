import { Avatar, Select, SimpleGrid, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import type { BankProviderName, Institution } from "@purser/client";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { useState } from "react";
import { Empty } from "../../../components/empty.tsx";
import { ButtonLink } from "../../../components/links.tsx";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import classes from "./-accounts.module.css";
import { nameForInitials } from "./-banks.ts";
import { useConsentPage } from "./-consent.ts";
import { countries } from "../../../data/countries.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { type ConnectSearch, readConnectSearch, returnedConsent } from "./-connect-search.ts";
import { ConnectReturned } from "./-returned.tsx";
import { SyncProgress } from "./-progress.tsx";

export const Route = createFileRoute("/$organizationId/accounts/connect")({
  validateSearch: readConnectSearch,
  component: Connect,
});

function Connect() {
  const { can, organizationId } = useOrganization();
  const search = Route.useSearch();
  const consent = returnedConsent(search);
  if (search.connectionId !== undefined)
    return (
      <Page title="Connect a bank">
        <SyncProgress connectionId={search.connectionId} />
      </Page>
    );
  return (
    <Page
      title="Connect a bank"
      description="Purser can read accounts and transactions, and cannot move money. You give your consent at the bank, and can end it at any time."
    >
      {!can("banking.link.create") ? (
        <Empty title="Only owners connect banks">Ask an owner of the organization.</Empty>
      ) : consent !== null ? (
        <ConnectReturned consent={consent} />
      ) : search.error === "authorization_pending" ? (
        <Empty title="The bank has yet to confirm your consent">
          Another owner of the account may have to agree. The bank is connected as soon as that has happened,
          within a week. You need not come back.
        </Empty>
      ) : search.error !== undefined ? (
        <Empty
          title="The bank was not connected"
          action={
            <ButtonLink to="/$organizationId/accounts/connect" params={{ organizationId }}>
              Choose a bank
            </ButtonLink>
          }
        >
          {search.error === "server_error"
            ? "The bank reported an error. Nothing was read."
            : "You did not give your consent at the bank. Nothing was read."}
        </Empty>
      ) : (
        <ChooseBank search={search} />
      )}
    </Page>
  );
}

function ChooseBank({ search }: { search: ConnectSearch }) {
  const navigate = Route.useNavigate();
  const [written, setWritten] = useState(search.query ?? "");
  const change = (changed: { [Name in keyof ConnectSearch]: ConnectSearch[Name] | undefined }) =>
    void navigate({ search: (before) => readConnectSearch({ ...before, ...changed }), replace: true });
  const find = useDebouncedCallback((query: string) => change({ query: query.trim() }), 250);
  const { country, query } = search;
  const banks = useQuery({
    ...queries.banking.institutions.list.queryOptions({ country, query, limit: 60 }),
    placeholderData: keepPreviousData,
  });
  const failed = failedQuery(banks);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} maw={640}>
        <Select
          label="Country"
          placeholder="All countries"
          data={countries()}
          value={country ?? null}
          onChange={(chosen) => change({ country: chosen ?? undefined })}
          searchable
          clearable
        />
        <TextInput
          label="Bank"
          placeholder="Search by name"
          type="search"
          leftSection={<IconSearch size={16} />}
          value={written}
          onChange={({ currentTarget }) => {
            setWritten(currentTarget.value);
            find(currentTarget.value);
          }}
        />
      </SimpleGrid>
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : banks.data === undefined ? (
        <Rows height={58} />
      ) : banks.data.length === 0 ? (
        <Empty title="No bank found">Check the spelling, or choose another country.</Empty>
      ) : (
        <Banks banks={banks.data} />
      )}
    </>
  );
}

function Banks({ banks }: { banks: readonly Institution[] }) {
  const consent = useConsentPage();
  return (
    <SimpleGrid component="ul" cols={{ base: 1, xs: 2, md: 3 }} className={classes.banks}>
      {banks.map(({ id, provider, name, country, logoUrl }) => (
        <li key={`${provider} ${id}`}>
          <UnstyledButton
            className={classes.bank}
            disabled={consent.isPending}
            onClick={() => consent.mutate({ provider: provider as BankProviderName, providerId: id })}
          >
            <Avatar src={logoUrl} alt="" name={nameForInitials(name)} color="purser" radius="md" />
            <div>
              <Text fw={550}>{name}</Text>
              <Text size="sm" c="dimmed">
                {countryNames.of(country) ?? country}
              </Text>
            </div>
          </UnstyledButton>
        </li>
      ))}
    </SimpleGrid>
  );
}

const countryNames = new Intl.DisplayNames(undefined, { type: "region" });
