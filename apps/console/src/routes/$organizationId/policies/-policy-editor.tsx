import { Alert, Button, Card, Grid, Group, Stack } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import type { CardPolicy, CardPolicyDraft, CardTransaction } from "@purser/client";
import { useAction } from "../../../data/action.tsx";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { Backtest } from "./-backtest.tsx";
import { CarriedPurchase } from "./-carried-purchase.tsx";
import { PolicyFields } from "./-policy-fields.tsx";
import { type PolicyValues, draftOfValues } from "./-policy-draft.ts";
import classes from "./-policy-editor.module.css";

/** The form of a policy, and beside it what this draft would have declined. */
export function PolicyEditor({
  initialValues,
  stored,
  currency,
  otherCurrencies,
  term,
  purchase,
  save,
  done,
  onDone,
}: {
  initialValues: PolicyValues;
  stored?: CardPolicy;
  currency: string;
  /** Further currencies of the cards that use the policy. Its amounts count in each of them. */
  otherCurrencies: readonly string[];
  /** Where the form begins: the term that the declined purchase needs changed. */
  term?: string | undefined;
  /** The declined purchase that should pass. */
  purchase?: CardTransaction | undefined;
  save: (draft: CardPolicyDraft & { name: string }) => Promise<CardPolicy>;
  done: string;
  onDone?: () => unknown;
}) {
  const { isOwner, timeZone } = useOrganization();
  const form = useForm({ initialValues });
  const draft = draftOfValues(form.values, { currency, timeZone }, stored);
  const action = useAction(save, {
    done,
    invalidates: [queries.cards.policies.list, queries.cards.policies.check, queries.cards.list],
    form,
    onDone: () => {
      form.setInitialValues(form.values);
      form.resetDirty();
      return onDone?.();
    },
  });
  if (!isOwner)
    return (
      <Alert color="orange" title="Only owners change policies">
        Ask an owner of the organization.
      </Alert>
    );
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <form onSubmit={form.onSubmit(() => action.mutate(draft))} noValidate>
          <Stack>
            {purchase !== undefined && (
              <CarriedPurchase purchase={purchase} draft={draft} form={form} currency={currency} />
            )}
            {otherCurrencies.length > 0 && (
              <Alert color="orange" title="Cards in several currencies use this policy">
                Amounts are shown in {currency}. The same numbers count in {otherCurrencies.join(", ")}.
              </Alert>
            )}
            <PolicyFields form={form} currency={currency} term={term} />
            <SaveButtons form={form} isNew={stored === undefined} isSaving={action.isPending} />
          </Stack>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Card withBorder style={{ position: "sticky", top: 72 }}>
          <Backtest draft={draft} policyId={stored?.id} />
        </Card>
      </Grid.Col>
    </Grid>
  );
}

function SaveButtons({
  form,
  isNew,
  isSaving,
}: {
  form: UseFormReturnType<PolicyValues>;
  isNew: boolean;
  isSaving: boolean;
}) {
  const isDirty = form.isDirty();
  return (
    <Group className={classes.save}>
      <Button type="submit" loading={isSaving} disabled={!isNew && !isDirty}>
        {isNew ? "Create the policy" : "Save"}
      </Button>
      {!isNew && isDirty && (
        <Button variant="default" onClick={() => form.reset()}>
          Discard changes
        </Button>
      )}
    </Group>
  );
}
