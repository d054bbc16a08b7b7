import { NumberInput, Select, SimpleGrid } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { BankConnection, SandboxBankFault } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { useAction } from "../../../data/action.tsx";
import { inWords } from "../../../data/format.ts";
import { allConnections } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { Control } from "./-control.tsx";

const faults: Record<SandboxBankFault | "none", string> = {
  none: "Nothing: clear all faults",
  outage: "No call is answered",
  rate_limited: "Too many calls",
  slow: "Every call takes a second longer",
  accounts_outage: "Accounts cannot be read",
  not_ready: "The history is not ready yet",
  cursor_lost: "The place in the list of changes is lost",
  mutation_during_pagination: "The data changes between two pages",
  blank_ids: "Transactions have no ids",
  repeated_ids: "A page has a transaction twice",
  reused_ids: "A transaction has the id of another",
};

const consents = {
  requireReauthorization: "The bank wants the person to sign in again",
  revokeConsent: "The customer revokes the consent",
  expireConsent: "The consent expires",
  repairConsent: "The person has confirmed the consent",
} as const;

type ConsentChange = keyof typeof consents;

/** Lets a bank of the sandbox fail, or end its consent. */
export function BankFaults() {
  const { organizationId: teamId } = useOrganization();
  const connections = useQuery(allConnections(teamId));
  const own = connections.data?.filter(
    ({ provider, status }) => provider === "sandbox" && status === "ACTIVE",
  );
  if (own === undefined || own.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: "start" }} mt="md">
      <FaultForm connections={own} />
      <ConsentForm connections={own} />
    </SimpleGrid>
  );
}

const optionsOf = (connections: readonly BankConnection[]) =>
  connections.map(({ id, providerId }) => ({ value: id, label: inWords(providerId.replaceAll("-", "_")) }));

const reads = [queries.banking.connections.list, queries.banking.connections.health];

function FaultForm({ connections }: { connections: readonly BankConnection[] }) {
  const { organizationId: teamId } = useOrganization();
  const form = useForm<{ connectionId: string; fault: keyof typeof faults; times: string | number }>({
    initialValues: {
      connectionId: connections[0]?.id ?? "",
      fault: "outage",
      times: 3,
    },
  });
  const set = useAction(
    ({ connectionId, fault, times }: typeof form.values) => {
      if (fault === "none") return purser.sandbox.banking.clearFaults({ teamId, connectionId });
      return purser.sandbox.banking.setFault({
        teamId,
        connectionId,
        fault,
        ...(typeof times === "number" && { times }),
        ...(fault === "slow" && { milliseconds: 1000 }),
      });
    },
    { done: (_, { fault }) => `At the bank: ${faults[fault].toLowerCase()}`, invalidates: reads, form },
  );
  return (
    <Control
      title="Let the bank fail"
      action="Apply"
      isPending={set.isPending}
      onSubmit={() => set.mutate(form.values)}
    >
      <Select
        label="Bank"
        allowDeselect={false}
        data={optionsOf(connections)}
        {...form.getInputProps("connectionId")}
      />
      <Select
        label="What goes wrong"
        allowDeselect={false}
        data={Object.entries(faults).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps("fault")}
      />
      {form.values.fault !== "none" && (
        <NumberInput
          label="How often"
          description="Empty: until it is cleared."
          allowDecimal={false}
          {...form.getInputProps("times")}
        />
      )}
    </Control>
  );
}

function ConsentForm({ connections }: { connections: readonly BankConnection[] }) {
  const { organizationId: teamId } = useOrganization();
  const form = useForm<{ connectionId: string; change: ConsentChange }>({
    initialValues: {
      connectionId: connections[0]?.id ?? "",
      change: "requireReauthorization",
    },
  });
  const set = useAction(
    ({ connectionId, change }: typeof form.values) =>
      purser.sandbox.banking[change]({ teamId, connectionId }),
    { done: (_, { change }) => `${consents[change]}. The next sync finds out.`, invalidates: reads, form },
  );
  return (
    <Control
      title="Change the consent at the bank"
      action="Change"
      isPending={set.isPending}
      onSubmit={() => set.mutate(form.values)}
    >
      <Select
        label="Bank"
        allowDeselect={false}
        data={optionsOf(connections)}
        {...form.getInputProps("connectionId")}
      />
      <Select
        label="What happens"
        allowDeselect={false}
        data={Object.entries(consents).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps("change")}
      />
    </Control>
  );
}
