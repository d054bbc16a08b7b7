import { useDebouncedValue } from "@mantine/hooks";
import type { CardPolicyDraft } from "@purser/client";
import { useMemo } from "react";

/** How long the user must pause before a draft is tried. */
const pauseMs = 350;

/** The rules of a draft once the user pauses. Names decide nothing, so to type one changes nothing. */
export function useSettledRules(draft: CardPolicyDraft): {
  rules: CardPolicyDraft;
  /** Whether they are those of the draft as it is. */
  isSettled: boolean;
} {
  const { name: _name, description: _description, ...written } = draft;
  const latest = JSON.stringify(written);
  const [settled] = useDebouncedValue(latest, pauseMs);
  const rules = useMemo(() => JSON.parse(settled, reviveDate) as CardPolicyDraft, [settled]);
  return { rules, isSettled: settled === latest };
}

const reviveDate = (key: string, value: unknown): unknown =>
  (key === "activeFrom" || key === "activeTo") && typeof value === "string" ? new Date(value) : value;
