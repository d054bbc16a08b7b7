import { Button, Card, Group, Loader, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import type { CardPolicy, CardPolicyDraft, CardTransaction } from "@purser/client";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { titleOf } from "../../../components/problem.tsx";
import { reasonInWords } from "../../../data/card-words.ts";
import { formatMoney } from "../../../data/format.ts";
import { useCategoryWords } from "../../../data/merchant-categories.ts";
import { fixesInWords, nowSentence } from "../../../data/purchase-now.ts";
import { useVerdict } from "../../../data/purchase-verdict.ts";
import { useFixes } from "./-use-fixes.ts";
import classes from "./-policy-editor.module.css";
import type { PolicyValues } from "./-policy-draft.ts";
import { pauseMs, useSettledRules } from "./-settled-rules.ts";

/** The declined purchase that a person wants to let pass: whether it passes under the draft, and what it needs. */
export function CarriedPurchase({
  purchase,
  draft,
  stored,
  form,
  currency,
}: {
  purchase: CardTransaction;
  draft: CardPolicyDraft;
  stored: CardPolicy | undefined;
  form: UseFormReturnType<PolicyValues>;
  currency: string;
}) {
  const categoryInWords = useCategoryWords();
  const { verdict, error, isFetching } = useVerdict(purchase, useSettledRules(draft));
  const [values] = useDebouncedValue(form.values, pauseMs);
  const found = useFixes(purchase, { values, stored, currency }, verdict?.passes === false);
  const words = found && fixesInWords(found.fixes, purchase.currency, categoryInWords);
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
          ) : verdict.passes ? (
            <Verdict isGood>
              {form.isDirty() ? "Passes with this draft. Save it." : "Passes with this policy."}
              {verdict.unless.length > 0 && ` Still declined if ${verdict.unless.join(", or if ")}.`}
            </Verdict>
          ) : (
            <Verdict>
              {nowSentence(verdict.decision, purchase, category)}
              {words !== null && ` Passes ${words.condition}.`}
              {reasonInWords(verdict.decision.reason ?? "").field === undefined && " No policy lets it pass."}
            </Verdict>
          )}
        </div>
        {found !== null && words !== null && (
          <Button size="xs" className={classes.fix} onClick={() => form.setValues(found.values)}>
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
