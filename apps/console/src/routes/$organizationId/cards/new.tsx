import { Alert, Button, Card, Group, Stepper } from "@mantine/core";
import { useForm } from "@mantine/form";
import { createFileRoute } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { Page } from "../../../components/page.tsx";
import { useAction } from "../../../data/action.tsx";
import type { ChangeAttempt } from "../../../data/attempts.ts";
import { useOrganization } from "../../../data/organization.ts";
import { purser, queries } from "../../../data/purser.ts";
import { useUnsavedChanges } from "../../../data/unsaved.ts";
import classes from "./-new-card.module.css";
import { HolderStep } from "./-holder-step.tsx";
import {
  type CardRules,
  type NewCardForm,
  type NewCardValues,
  newCardValues,
  policyOfRules,
  problemOfStep,
} from "./-new-card.ts";
import { ReviewStep } from "./-review-step.tsx";
import { RulesStep } from "./-rules-step.tsx";

const rules: readonly CardRules[] = ["policy", "limits", "shop"];

export const Route = createFileRoute("/$organizationId/cards/new")({
  validateSearch: ({ rules: chosen }: Record<string, unknown>): { rules?: CardRules } => {
    const found = rules.find((value) => value === chosen);
    return found === undefined ? {} : { rules: found };
  },
  component: NewCard,
});

function NewCard() {
  const { can, userId } = useOrganization();
  const { rules: kind } = Route.useSearch();
  const [step, setStep] = useState(0);
  const form = useForm({ initialValues: newCardValues(kind ?? "policy", userId) });
  useUnsavedChanges(form);
  const create = useIssueCard(form);
  const goOn = () => {
    const problem = problemOfStep(step, form.values);
    form.clearErrors();
    if (problem === null) setStep(step + 1);
    else form.setErrors(problem);
  };
  if (!can("cards.create"))
    return (
      <Page title="New card">
        <Alert color="orange" title="Only owners issue cards">
          Ask an owner of the organization for one.
        </Alert>
      </Page>
    );
  return (
    <Page title={form.values.rules === "shop" ? "Card for one shop" : "New card"}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (step < 2) goOn();
          else create.mutate(form.values);
        }}
      >
        <Card withBorder maw={680}>
          <Stepper
            active={step}
            onStepClick={setStep}
            allowNextStepsSelect={false}
            size="xs"
            iconSize={28}
            wrap={false}
            classNames={{ separator: classes.separator }}
          >
            <Stepper.Step label="Holder">
              <HolderStep form={form} />
            </Stepper.Step>
            <Stepper.Step label="Rules">
              <RulesStep form={form} />
            </Stepper.Step>
            <Stepper.Step label="Review">
              <ReviewStep values={form.values} />
            </Stepper.Step>
          </Stepper>
          <Group justify="flex-end" mt="xl">
            {step > 0 && (
              <Button variant="default" mr="auto" onClick={() => setStep(step - 1)}>
                Back
              </Button>
            )}
            <Button type="submit" loading={create.isPending}>
              {step < 2 ? "Continue" : "Issue the card"}
            </Button>
          </Group>
        </Card>
      </form>
    </Page>
  );
}

/** Issues a card, after the policy of its own if it has one. */
function useIssueCard(form: NewCardForm) {
  const { organizationId } = useOrganization();
  const navigate = Route.useNavigate();
  // If the card is refused, the next attempt uses the policy that is there already.
  const created = useRef<{ draft: string; policyId: string }>(undefined);
  const policyOf = async (values: NewCardValues, attempt: ChangeAttempt) => {
    const policy = policyOfRules(values);
    if (policy === null) return values.policyId;
    const draft = JSON.stringify(policy);
    if (created.current?.draft !== draft) {
      const { id } = await purser.cards.policies.create({ organizationId, ...policy }, attempt);
      created.current = { draft, policyId: id };
    }
    return created.current.policyId;
  };
  return useAction(
    async (values: NewCardValues, attempt) => {
      const { assignedToId, fundingAccountId, purpose, nickname } = values;
      const policyId = await policyOf(values, attempt);
      return purser.cards.create(
        {
          organizationId,
          assignedToId,
          fundingAccountId,
          purpose,
          nickname: nickname.trim() === "" ? null : nickname,
          policyId,
        },
        attempt,
      );
    },
    {
      done: "The card is issued",
      invalidates: [queries.cards.list, queries.cards.policies.list],
      onDone: (_, values) => form.resetDirty(values),
      next: ({ id }) =>
        navigate({ to: "/$organizationId/cards/$cardId", params: { organizationId, cardId: id } }),
    },
  );
}
