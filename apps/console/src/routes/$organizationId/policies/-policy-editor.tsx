import { Alert, Button, Card, Grid, Group, Stack } from "@mantine/core";
import type { CardPolicy, CardPolicyDraft, CardTransaction } from "@purser/client";
import { useAction } from "../../../data/action.tsx";
import type { ChangeAttempt } from "../../../data/attempts.ts";
import type { PolicyCurrencies } from "../../../data/policy-currencies.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { Backtest } from "./-backtest.tsx";
import { CarriedPurchase } from "./-carried-purchase.tsx";
import { PolicyFields } from "./-policy-fields.tsx";
import { type PolicyValues, changesOfValues, draftOfValues } from "./-policy-draft.ts";
import { usePolicyForm } from "./-policy-form.ts";
import classes from "./-policy-editor.module.css";

/** The form of a policy, and beside it what this draft would have declined. */
export function PolicyEditor({
  stored,
  currencies,
  term,
  purchase,
  save,
  done,
  next,
}: {
  stored?: CardPolicy;
  currencies: PolicyCurrencies;
  /** Where the form begins: the term that the declined purchase needs changed. */
  term?: string | undefined;
  /** The declined purchase that should pass. */
  purchase?: CardTransaction | undefined;
  /** Takes the whole draft, and what it changes in the stored policy. */
  save: (
    draft: CardPolicyDraft & { name: string },
    changes: Partial<CardPolicyDraft>,
    attempt: ChangeAttempt,
  ) => Promise<CardPolicy>;
  done: string;
  /** Opens the page that comes next. */
  next?: (() => unknown) | undefined;
}) {
  const { can } = useOrganization();
  const { form, isDirty, basis, beginWith } = usePolicyForm(stored, currencies.currency);
  const { locale } = basis;
  const { currency } = locale;
  const otherCurrencies = [currencies.currency, ...currencies.others].filter((one) => one !== currency);
  const draft = draftOfValues(form.values, locale, basis.stored);
  const action = useAction(
    (values: PolicyValues, attempt) =>
      save(
        draftOfValues(values, locale, basis.stored),
        basis.stored === undefined ? {} : changesOfValues(values, locale, basis.stored),
        attempt,
      ),
    {
      done,
      invalidates: [queries.cards.policies.list, queries.cards.policies.check, queries.cards.list],
      form,
      onDone: (saved, values) => {
        // What is written since it was sent is not saved.
        if (stored === undefined) form.resetDirty(values);
        else beginWith(saved, values);
      },
      next: () => next?.(),
    },
  );
  if (!can("cards.policies.update"))
    return (
      <Alert color="orange" title="Only owners change policies">
        Ask an owner of the organization.
      </Alert>
    );
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <form onSubmit={form.onSubmit((values) => action.mutate(values))} noValidate>
          <Stack>
            {purchase !== undefined && (
              <CarriedPurchase
                purchase={purchase}
                draft={draft}
                form={form}
                isDirty={isDirty}
                locale={locale}
              />
            )}
            {otherCurrencies.length > 0 && (
              <Alert color="orange" title="Cards in other currencies use this policy">
                Amounts are shown in {currency}. The same numbers count in {otherCurrencies.join(", ")}.
              </Alert>
            )}
            <PolicyFields form={form} currency={currency} term={term} />
            <SaveButtons
              isNew={stored === undefined}
              isDirty={isDirty}
              isSaving={action.isPending}
              onDiscard={form.reset}
            />
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
  isNew,
  isDirty,
  isSaving,
  onDiscard,
}: {
  isNew: boolean;
  isDirty: boolean;
  isSaving: boolean;
  onDiscard: () => void;
}) {
  return (
    <Group className={classes.save}>
      <Button type="submit" loading={isSaving} disabled={!isNew && !isDirty}>
        {isNew ? "Create the policy" : "Save"}
      </Button>
      {!isNew && isDirty && (
        <Button variant="default" onClick={onDiscard}>
          Discard changes
        </Button>
      )}
    </Group>
  );
}
