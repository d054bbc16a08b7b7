import { Autocomplete, Drawer, Group, Skeleton, Stack, Table, Text, Textarea, Title } from "@mantine/core";
import type { BankTransaction } from "@purser/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { TextLink } from "../../../components/links.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Status } from "../../../components/status.tsx";
import { useAction } from "../../../data/action.tsx";
import { useFollowing } from "../../../data/following.ts";
import { formatDay, inWords } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { useCategories } from "./-categories.ts";
import { replaceTransaction } from "./-cache.ts";
import { signedAmount, titleOfTransaction } from "./-row.tsx";

/** A transaction beside the list, with the category and the note that an owner may set. */
export function TransactionDetails({
  transactionId,
  onClose,
}: {
  transactionId: string | undefined;
  onClose: () => void;
}) {
  const { organizationId } = useOrganization();
  const transaction = useQuery({
    ...queries.banking.transactions.get.queryOptions({
      teamId: organizationId,
      transactionId: transactionId ?? "",
    }),
    enabled: transactionId !== undefined,
  });
  return (
    <Drawer
      opened={transactionId !== undefined}
      onClose={onClose}
      position="right"
      title="Transaction"
      overlayProps={{ backgroundOpacity: 0.25 }}
    >
      {transaction.error !== null ? (
        <Problem error={transaction.error} retry={() => transaction.refetch()} />
      ) : transaction.data === undefined ? (
        <Skeleton h={240} />
      ) : (
        <Details key={transaction.data.id} transaction={transaction.data} />
      )}
    </Drawer>
  );
}

function Details({ transaction }: { transaction: BankTransaction }) {
  const { organizationId, isOwner } = useOrganization();
  const { account } = transaction;
  return (
    <Stack>
      <div>
        <Title order={3}>{titleOfTransaction(transaction)}</Title>
        <Group gap="sm" mt={4}>
          <Text fz={24} fw={650} style={{ fontVariantNumeric: "tabular-nums" }}>
            {signedAmount(transaction)}
          </Text>
          <Status status={transaction.status} />
        </Group>
      </div>
      <Table variant="vertical" layout="fixed" withRowBorders={false}>
        <Table.Tbody>
          <Fact name="Date">{formatDay(transaction.transactionDate)}</Fact>
          <Fact name="Description">{transaction.description}</Fact>
          <Fact name="Direction">{transaction.type === "CREDIT" ? "Money in" : "Money out"}</Fact>
          <Fact name="Account">
            <TextLink
              to="/$organizationId/accounts/$accountId"
              params={{ organizationId, accountId: account.id }}
            >
              {account.accountName}
            </TextLink>
          </Fact>
          {!isOwner && (
            <>
              <Fact name="Category">
                {transaction.category === null ? "None" : inWords(transaction.category)}
              </Fact>
              <Fact name="Note">{transaction.note ?? "None"}</Fact>
            </>
          )}
        </Table.Tbody>
      </Table>
      {isOwner && <OwnFields transaction={transaction} />}
    </Stack>
  );
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <Table.Tr>
    <Table.Th w={120}>{name}</Table.Th>
    <Table.Td style={{ overflowWrap: "anywhere" }}>{children}</Table.Td>
  </Table.Tr>
);

/** The fields that no bank overwrites. Each saves when the person leaves it. */
function OwnFields({ transaction }: { transaction: BankTransaction }) {
  const { organizationId } = useOrganization();
  const [category, setCategory] = useFollowing(transaction.category ?? "");
  const [note, setNote] = useFollowing(transaction.note ?? "");
  const categories = useCategories(organizationId);
  const edit = useEdit(transaction);
  const saveCategory = (written: string) => {
    if (written.trim() !== (transaction.category ?? "")) edit({ category: written.trim() || null });
  };
  const saveNote = () => {
    if (note.trim() !== (transaction.note ?? "")) edit({ note: note.trim() || null });
  };
  return (
    <>
      <Autocomplete
        label="Category"
        description="Empty shows the category of the bank."
        data={categories}
        renderOption={({ option }) => inWords(option.value)}
        value={category}
        maxLength={255}
        onChange={setCategory}
        onOptionSubmit={saveCategory}
        onBlur={() => saveCategory(category)}
        onKeyDown={({ key, currentTarget }) =>
          key === "Enter" && !isChoosing(currentTarget) && saveCategory(category)
        }
      />
      <Textarea
        label="Note"
        description="For your organization. The bank does not see it."
        autosize
        minRows={3}
        maxLength={1000}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        onBlur={saveNote}
      />
    </>
  );
}

/** Whether the arrow keys stand on an option. Enter then chooses that, and not what is written. */
function isChoosing(field: HTMLElement): boolean {
  const options = document.getElementById(field.getAttribute("aria-controls") ?? "");
  return options !== null && options.querySelector("[data-combobox-selected]") !== null;
}

type Change = { category: string | null } | { note: string | null };

interface Edit {
  before: BankTransaction;
  change: Change;
}

/** Shows an edit at once, in the list too, and takes it back if the service refuses or the person undoes it. */
function useEdit(transaction: BankTransaction) {
  const client = useQueryClient();
  const { organizationId: teamId } = useOrganization();
  const show = (shown: BankTransaction) => replaceTransaction(client, teamId, shown);
  const update = (change: Change) =>
    purser.banking.transactions.update({ teamId, transactionId: transaction.id, ...change });
  const { mutate } = useAction(({ change }: Edit) => update(change), {
    done: (_, { change }) => ("note" in change ? "Note saved" : "Category saved"),
    optimistic: ({ before, change }) => {
      show({ ...before, ...change });
      return () => show(before);
    },
    onDone: show,
    undo: async (_, { before, change }) =>
      show(await update("note" in change ? { note: before.note } : { category: before.category })),
  });
  return (change: Change) => mutate({ before: transaction, change });
}
