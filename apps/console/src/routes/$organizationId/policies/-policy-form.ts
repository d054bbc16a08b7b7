import { type UseFormReturnType, useForm } from "@mantine/form";
import type { CardPolicy } from "@purser/client";
import { useEffect, useState } from "react";
import { changedFields } from "../../../data/changed-fields.ts";
import { problemOfMoney } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useUnsavedChanges } from "../../../data/unsaved.ts";
import {
  type Locale,
  type PolicyValues,
  newPolicyValues,
  problemOfDay,
  valuesOfPolicy,
} from "./-policy-draft.ts";

/** What the values of a form are made of: the stored policy, if there is one, and how its amounts and days are written. */
interface Basis {
  stored: CardPolicy | undefined;
  locale: Locale;
}

/**
 * The form of a policy. It follows what others change until the user edits it. From then on it keeps its basis, so that
 * its amounts stay in the currency in which they were written, even if the cards now have another one.
 */
export function usePolicyForm(
  stored: CardPolicy | undefined,
  currency: string,
): {
  form: UseFormReturnType<PolicyValues>;
  /** Whether it differs from what is stored. The form itself does not notice when a limit is removed. */
  isDirty: boolean;
  basis: Basis;
  /** Begins again with what was saved. Keeps what was written since it was sent. */
  beginWith: (saved: CardPolicy, sent: PolicyValues) => void;
} {
  const { timeZone } = useOrganization();
  const [basis, setBasis] = useState<Basis>({ stored, locale: { currency, timeZone } });
  const form = useForm({
    initialValues: valuesOfBasis(basis),
    validate: {
      limits: {
        amount: (amount: string | number) => problemOfMoney(amount, basis.locale.currency),
      },
      activeFrom: (day) => problemOfDay(day, valuesOfBasis(basis).activeFrom),
      activeTo: (day) => problemOfDay(day, valuesOfBasis(basis).activeTo),
    },
  });
  useUnsavedChanges(form);
  const isDirty = Object.keys(changedFields(valuesOfBasis(basis), form.values)).length > 0;
  const begin = (next: Basis, written: Partial<PolicyValues> = {}) => {
    const values = valuesOfBasis(next);
    setBasis(next);
    form.resetDirty(values);
    form.setValues({ ...values, ...written });
  };
  useEffect(() => {
    const { locale } = basis;
    const isOld = stored !== basis.stored || currency !== locale.currency || timeZone !== locale.timeZone;
    if (isOld && !isDirty) begin({ stored, locale: { currency, timeZone } });
  });
  return {
    form,
    isDirty,
    basis,
    beginWith: (saved, sent) =>
      begin({ stored: saved, locale: basis.locale }, changedFields(sent, form.getValues())),
  };
}

const valuesOfBasis = ({ stored, locale }: Basis): PolicyValues =>
  stored === undefined ? newPolicyValues : valuesOfPolicy(stored, locale);
