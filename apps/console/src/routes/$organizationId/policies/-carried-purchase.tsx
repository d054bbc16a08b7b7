import { Button, Card, Group, Loader, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { CardPolicyDraft, CardTransaction } from "@purser/client";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { titleOf } from "../../../data/problem-labels.ts";
import { formatMoney } from "../../../data/format.ts";
import { useCategoryWords } from "../../../data/merchant-categories.ts";
import { changesInWords, nowSentence } from "../../../data/purchase-now.ts";
import { useVerdict } from "../../../data/purchase-verdict.ts";
import classes from "./-policy-editor.module.css";
import { type Locale, type PolicyValues, valuesAfter } from "./-policy-draft.ts";
import { useSettledRules } from "./-settled-rules.ts";

/** The declined purchase that a person wants to let pass: whether it passes under the draft, and what it needs. */
export function CarriedPurchase({
  purchase,
  draft,
  form,
  isDirty,
  locale,
}: {
  purchase: CardTransaction;
  draft: CardPolicyDraft;
  form: UseFormReturnType<PolicyValues>;
  isDirty: boolean;
  locale: Locale;
}) {
  const categoryInWords = useCategoryWords();
  const { rules, isSettled } = useSettledRules(draft);
  const { verdict, isEarlier, error, isFetching } = useVerdict(purchase, rules);
  const passesWith = verdict?.passesWith ?? null;
  const words =
    passesWith &&
    changesInWords(rules, passesWith, { ...locale, currency: purchase.currency }, categoryInWords);
  const category = purchase.merchantCategory && categoryInWords(purchase.merchantCategory);
  return (
    <Card
      withBorder
      p="sm"
      component="section"
      aria-label="The declined purchase"
      className={classes.carried}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Text fw={600} truncate>
          {purchase.merchantName}, {formatMoney(purchase.amount, purchase.currency)}
        </Text>
        {isFetching && <Loader size="xs" aria-label="Trying the policy" />}
      </Group>
      <Group justify="space-between" gap="xs" mt={2}>
        <div aria-live="polite" className={classes.verdict}>
          {error !== null ? (
            <Text size="sm">This draft cannot be tried: {titleOf(error)}</Text>
          ) : verdict === undefined ? (
            <Text size="sm" c="dimmed">
              Trying the policy
            </Text>
          ) : verdict.outcome === "approved" ? (
            <Verdict isGood>
              {isDirty ? "Passes with this draft. Save it." : "Passes with this policy."}
            </Verdict>
          ) : (
            <Verdict>
              {nowSentence(verdict, purchase, category)}
              {words !== null && ` Passes ${words.condition}.`}
              {passesWith === null && " No policy lets it pass."}
            </Verdict>
          )}
        </div>
        {passesWith !== null && words !== null && (
          <Button
            size="xs"
            className={classes.fix}
            // What would let it pass is known of the draft that was tried. This one may have more.
            disabled={!isSettled || isEarlier}
            onClick={() => form.setValues(valuesAfter(form.values, passesWith, locale))}
          >
            {words.button}
          </Button>
        )}
      </Group>
    </Card>
  );
}

function Verdict({ isGood = false, children }: { isGood?: boolean; children: React.ReactNode }) {
  const Icon = isGood ? IconCircleCheck : IconCircleX;
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Icon size={18} color={isGood ? "var(--good)" : "var(--warn)"} style={{ flex: "none" }} aria-hidden />
      <Text size="sm">
        {!isGood && "Still declined: "}
        {children}
      </Text>
    </Group>
  );
}
