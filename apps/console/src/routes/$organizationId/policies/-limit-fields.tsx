import { ActionIcon, Button, Group, NumberInput, Select } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { randomId } from "@mantine/hooks";
import type { LimitInterval } from "@purser/client";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { moneyInput } from "../../../components/money-input.tsx";
import { intervalNames } from "../../../data/card-labels.ts";
import type { PolicyValues } from "./-policy-draft.ts";

const intervals = Object.keys(intervalNames) as LimitInterval[];

/** The limits of a policy, at most one of each interval. */
export function LimitFields({ form, currency }: { form: UseFormReturnType<PolicyValues>; currency: string }) {
  const { limits } = form.values;
  const used = new Set(limits.map(({ interval }) => interval));
  const free = ["MONTHLY" as const, ...intervals].find((interval) => !used.has(interval));
  return (
    <>
      {limits.map(({ key, interval: own }, index) => (
        <Group key={key} align="flex-start" wrap="nowrap" gap="xs">
          <NumberInput
            aria-label={`Limit ${index + 1}`}
            style={{ flex: 1 }}
            {...moneyInput(currency)}
            {...form.getInputProps(`limits.${index}.amount`)}
          />
          <Select
            aria-label={`Interval of limit ${index + 1}`}
            style={{ flex: 1 }}
            allowDeselect={false}
            data={intervals
              .filter((interval) => interval === own || !used.has(interval))
              .map((value) => ({ value, label: intervalNames[value] }))}
            {...form.getInputProps(`limits.${index}.interval`)}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`Remove limit ${index + 1}`}
            onClick={() => form.removeListItem("limits", index)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      {free !== undefined && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          style={{ alignSelf: "flex-start" }}
          onClick={() =>
            // Browsers have `crypto.randomUUID` on secure addresses only.
            form.insertListItem("limits", { key: randomId(), amount: "", interval: free })
          }
        >
          Add a limit
        </Button>
      )}
    </>
  );
}
