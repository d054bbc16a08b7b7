import {
  Alert,
  Button,
  Card,
  Checkbox,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import type { CardsCardholderUpdateInput } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useAction } from "../../../data/action.tsx";
import { countries } from "../../../data/countries.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { inWords } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { useUnsavedChanges } from "../../../data/unsaved.ts";

export const Route = createFileRoute("/$organizationId/cards/details")({ component: CardholderDetails });

const blank = {
  name: { first: "", last: "" },
  dateOfBirth: "",
  phoneNumber: "",
  address: { line1: "", line2: "", city: "", state: "", postalCode: "", country: null as string | null },
  governmentId: "",
  acceptsTerms: false,
};

type Values = typeof blank;

/** What a card issuer has to know about a cardholder. It is never shown again, so the form is always blank. */
function CardholderDetails() {
  const { organizationId } = useOrganization();
  const state = useQuery(queries.cards.cardholder.get.queryOptions({ organizationId }));
  const failed = failedQuery(state);
  return (
    <Page
      title="Your details as a cardholder"
      description="Only the issuer of your card gets them. Purser keeps them sealed and shows them to nobody, so you cannot read them here again."
    >
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : state.data === undefined ? (
        <Rows count={4} />
      ) : (
        <>
          <OnRecord provided={state.data.provided} missing={state.data.missing} />
          <DetailsForm />
        </>
      )}
    </Page>
  );
}

const listFormat = new Intl.ListFormat("en", { type: "conjunction" });
const listed = (names: readonly string[]): string =>
  listFormat.format(names.map((name) => inWords(name.replaceAll(/[A-Z]/g, " $&")).toLowerCase()));

function OnRecord({ provided, missing }: { provided: readonly string[]; missing: readonly string[] }) {
  if (missing.length > 0)
    return (
      <Alert color="orange" title="The card issuer needs more about you" role="status">
        {`Missing: ${listed(missing)}.`}
      </Alert>
    );
  return (
    <Text size="sm" role="status">
      {provided.length === 0
        ? "Nothing is on record, and no card issuer requires anything."
        : `On record: ${listed(provided)}. Nothing is missing.`}
    </Text>
  );
}

function DetailsForm() {
  const { organizationId } = useOrganization();
  const form = useForm<Values>({ initialValues: blank });
  useUnsavedChanges(form);
  const save = useAction(
    (values: Values) => purser.cards.cardholder.update({ organizationId, ...detailsOf(values) }),
    {
      done: "The details are saved, and go to the issuers of your cards",
      invalidates: [queries.cards.cardholder.get],
      form,
      onDone: () => form.reset(),
    },
  );
  const field = (path: string) => form.getInputProps(path);
  return (
    <Card withBorder maw={680} component="section" aria-label="Change your details">
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <Text size="sm" c="dimmed">
            What you leave empty stays as it is. A name and an address are replaced as a whole.
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label="Given names" autoComplete="given-name" {...field("name.first")} />
            <TextInput label="Family names" autoComplete="family-name" {...field("name.last")} />
            <TextInput type="date" label="Date of birth" autoComplete="bday" {...field("dateOfBirth")} />
            <TextInput
              type="tel"
              label="Phone number"
              placeholder="+44 20 7123 4567"
              autoComplete="tel"
              {...field("phoneNumber")}
            />
          </SimpleGrid>
          <TextInput label="Street and number" autoComplete="address-line1" {...field("address.line1")} />
          <TextInput
            label="Second line"
            placeholder="Such as a floor"
            autoComplete="address-line2"
            {...field("address.line2")}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label="Postal code" autoComplete="postal-code" {...field("address.postalCode")} />
            <TextInput label="City" autoComplete="address-level2" {...field("address.city")} />
            <TextInput label="State or province" autoComplete="address-level1" {...field("address.state")} />
            <Select
              label="Country"
              searchable
              clearable
              clearButtonProps={{ "aria-label": "No country" }}
              data={countries()}
              {...field("address.country")}
            />
          </SimpleGrid>
          <TextInput
            label="Social security number or ITIN (USA)"
            description="Only if the card issuer asks for it."
            autoComplete="off"
            {...field("governmentId")}
          />
          <Checkbox
            label="I accept the terms of the card issuer for cardholders."
            {...form.getInputProps("acceptsTerms", { type: "checkbox" })}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** What the person has filled in. A name and an address are whole, or the service says what they lack. */
function detailsOf({ name, dateOfBirth, phoneNumber, address, governmentId, acceptsTerms }: Values) {
  const { line1, city, postalCode, country } = address;
  const optional = (["line2", "state"] as const).filter((part) => address[part].trim() !== "");
  const parts = Object.fromEntries(optional.map((part) => [part, address[part]]));
  const details: Omit<CardsCardholderUpdateInput, "organizationId"> = {
    ...(isFilled(name) && { name }),
    ...(dateOfBirth !== "" && { dateOfBirth }),
    ...(phoneNumber.trim() !== "" && { phoneNumber: phoneNumber.replaceAll(/\s/g, "") }),
    ...(isFilled(address) && { address: { line1, city, postalCode, country: country ?? "", ...parts } }),
    ...(governmentId.trim() !== "" && { governmentId: governmentId.trim() }),
    ...(acceptsTerms && { acceptsTerms }),
  };
  return details;
}

const isFilled = (parts: Record<string, string | null>): boolean =>
  Object.values(parts).some((part) => part !== null && part.trim() !== "");
