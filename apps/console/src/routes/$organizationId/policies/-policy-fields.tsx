import {
  Card,
  Chip,
  Group,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
  Textarea,
  Title,
} from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { PassingTerms } from "@purser/client";
import { type ReactNode, useEffect, useRef } from "react";
import { useOrganization } from "../../../data/organization.ts";
import { maxDay } from "../../../data/zoned-day.ts";
import { CategorySelect } from "./-category-select.tsx";
import { LimitFields } from "./-limit-fields.tsx";
import type { PolicyValues } from "./-policy-draft.ts";
import classes from "./-policy-editor.module.css";

const weekdays = [
  ["1", "Mon"],
  ["2", "Tue"],
  ["3", "Wed"],
  ["4", "Thu"],
  ["5", "Fri"],
  ["6", "Sat"],
  ["0", "Sun"],
] as const;

interface PolicyFieldsProps {
  form: UseFormReturnType<PolicyValues>;
  currency: string;
  /** The term that a declined purchase needs changed. */
  term: string | undefined;
}

export function PolicyFields({ form, currency, term }: PolicyFieldsProps) {
  const part = partWith(term);
  return (
    <>
      <Part title="About">
        <TextInput label="Name" required {...form.getInputProps("name")} />
        <Textarea label="Description" autosize {...form.getInputProps("description")} />
      </Part>
      <Part
        title="Limits"
        hint="Each card has its own limits. A purchase must fit all of them."
        {...part("limits")}
      >
        <LimitFields form={form} currency={currency} />
      </Part>
      <Part title="Merchants" {...part("allowedMerchants", "blockedMerchants")}>
        <TagsInput
          label="Allowed merchants"
          description="The full name as on a statement, or the network’s ID. Leave empty to allow all."
          {...merchantList}
          {...form.getInputProps("allowedMerchants")}
        />
        <TagsInput label="Blocked merchants" {...merchantList} {...form.getInputProps("blockedMerchants")} />
      </Part>
      <Part title="Categories" {...part("merchantCategories", "blockedMerchantCategories")}>
        <CategorySelect
          label="Allowed categories"
          description="Leave empty to allow all."
          {...form.getInputProps("merchantCategories")}
        />
        <CategorySelect label="Blocked categories" {...form.getInputProps("blockedMerchantCategories")} />
      </Part>
      <WhereAndWhen form={form} term={term} />
    </>
  );
}

/** A name may have a comma, at which the field would otherwise begin the next one. */
const merchantList = {
  placeholder: "Type a name, then press Enter",
  acceptValueOnBlur: true,
  splitChars: [],
};

function WhereAndWhen({ form, term }: Pick<PolicyFieldsProps, "form" | "term">) {
  const { timeZone } = useOrganization();
  const part = partWith(term);
  const isOn = (name: "allowAtm" | "allowOnline" | "allowInternational") =>
    form.getInputProps(name, { type: "checkbox" });
  return (
    <>
      <Part title="Where" {...part("allowAtm", "allowOnline", "allowInternational")}>
        <Switch label="ATM withdrawals" {...isOn("allowAtm")} />
        <Switch label="Online purchases" {...isOn("allowOnline")} />
        <Switch label="Merchants in other countries" {...isOn("allowInternational")} />
      </Part>
      <Part
        title="Days"
        hint={`Choose none to allow every day. Days are in ${timeZone}.`}
        {...part("daysOfWeek")}
      >
        <Chip.Group multiple {...form.getInputProps("daysOfWeek")}>
          <Group gap="xs" role="group" aria-label="Days of the week">
            {weekdays.map(([value, label]) => (
              <Chip key={value} value={value}>
                {label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Part>
      <Part
        title="Period"
        hint={`Whole days in ${timeZone}. Leave empty to allow any day.`}
        {...part("activeFrom", "activeTo")}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput type="date" max={maxDay} label="First day" {...form.getInputProps("activeFrom")} />
          <TextInput type="date" max={maxDay} label="Last day" {...form.getInputProps("activeTo")} />
        </SimpleGrid>
      </Part>
    </>
  );
}

/** Returns the props of the part with these terms. */
const partWith =
  (term: string | undefined) =>
  (...terms: (keyof PassingTerms)[]) => ({ isWanted: terms.some((one) => one === term) });

/** A group of fields. The one that a declined purchase needs changed comes into view, with the focus in it. */
function Part({
  title,
  hint,
  isWanted = false,
  children,
}: {
  title: string;
  hint?: string;
  isWanted?: boolean;
  children: ReactNode;
}) {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    part.current?.scrollIntoView({ block: "center" });
    // A field with a list would open it, over what it is about.
    const field = part.current?.querySelector<HTMLElement>('input:not([aria-haspopup="listbox"])');
    field?.focus({ preventScroll: true });
  }, [isWanted]);
  return (
    <Card
      ref={part}
      withBorder
      component="section"
      aria-label={title}
      className={isWanted ? `${classes.part} ${classes.wanted}` : classes.part}
    >
      <Stack>
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          {hint !== undefined && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Card>
  );
}
