import { Autocomplete, type ComboboxItem, type OptionsFilter, Textarea } from "@mantine/core";
import { type BankTransaction, maxLengthOf } from "@purser/client";
import { IconChevronDown } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "../../../data/action.tsx";
import { categoryInWords } from "../../../data/format.ts";
import { serializeChange } from "../../../data/serialize-changes.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser } from "../../../data/purser.ts";
import { useSavedText } from "../../../data/saved-text.ts";
import { useCategories } from "./-categories.ts";
import { replaceTransaction, shownTransaction } from "./-cache.ts";
import { type Change, rollBack, withoutChange } from "./-rollback.ts";

/** The fields that no bank overwrites. Each saves when the person leaves it, in whatever way. */
export function OwnFields({ transaction }: { transaction: BankTransaction }) {
  const { organizationId } = useOrganization();
  const edit = useEdit(transaction);
  const categories = useCategories(organizationId);
  const words = [...new Set(categories.map(categoryInWords))];
  const shownCategory = transaction.category === null ? "" : categoryInWords(transaction.category);
  const rawOf = (written: string) => categories.find((one) => isWrittenAs(one, written)) ?? written;
  const category = useSavedText(shownCategory, (written) => edit({ category: rawOf(written) || null }));
  const note = useSavedText(transaction.note ?? "", (written) => edit({ note: written || null }));
  return (
    <>
      <Autocomplete
        label="Category"
        description="Choose one or write your own. If you clear it, the bank’s category is back."
        placeholder="No category"
        maxLength={maxLengthOf("banking.transactions.update.category")}
        data={words}
        filter={optionsFor(shownCategory)}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        rightSectionPointerEvents="none"
        value={category.text}
        onChange={category.write}
        onOptionSubmit={category.save}
        onBlur={() => category.save()}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter" && !isChoosing(currentTarget)) category.save();
          // What was written to find a category is no category.
          if (key === "Escape") category.write(shownCategory);
        }}
      />
      <Textarea
        label="Note"
        description="For your organization. The bank does not see it."
        maxLength={maxLengthOf("banking.transactions.update.note")}
        autosize
        minRows={3}
        value={note.text}
        onChange={({ currentTarget }) => note.write(currentTarget.value)}
        onBlur={() => note.save()}
      />
    </>
  );
}

/** People write the category of a bank, "FOOD_AND_DRINK", in words and in any case. That of a person is exactly what they write. */
function isWrittenAs(category: string, written: string): boolean {
  const words = categoryInWords(category);
  return words === written || (words !== category && words.toLowerCase() === written.toLowerCase());
}

/** All options until the person writes something else, then those that have it. */
const optionsFor =
  (category: string): OptionsFilter =>
  ({ options, search }) => {
    const written = search.trim().toLowerCase();
    if (written === category.toLowerCase()) return options;
    return (options as ComboboxItem[]).filter(({ label }) => label.toLowerCase().includes(written));
  };

/** Whether the arrow keys stand on an option. Enter then chooses that, and not what is written. */
function isChoosing(field: HTMLElement): boolean {
  const options = document.getElementById(field.getAttribute("aria-controls") ?? "");
  return options !== null && options.querySelector("[data-combobox-selected]") !== null;
}

interface Edit {
  before: BankTransaction;
  change: Change;
}

/**
 * Shows an edit, in the list too, and takes it back if the service refuses or the person undoes it. It waits for earlier ones
 * of the transaction, so what it takes back to is stored.
 */
function useEdit(transaction: BankTransaction) {
  const client = useQueryClient();
  const { organizationId: teamId } = useOrganization();
  const { id } = transaction;
  const shown = () => shownTransaction(client, teamId, id) ?? transaction;
  const show = (changed: BankTransaction) => replaceTransaction(client, teamId, changed);
  const update = (change: Change) =>
    purser.banking.transactions.update({ teamId, transactionId: id, ...change });
  const { mutateAsync } = useAction(({ change }: Edit) => update(change), {
    done: (_, { change }) => ("note" in change ? "Note saved" : "Category saved"),
    optimistic: ({ before, change }) => {
      show({ ...before, ...change });
      return () => show(withoutChange(shown(), before, change));
    },
    onDone: show,
    undo: (_, { before, change }) =>
      serializeChange(id, async () => show(await rollBack(before, change, update))),
  });
  return (change: Change) => serializeChange(id, () => mutateAsync({ before: shown(), change }));
}
