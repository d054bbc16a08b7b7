import { useDebouncedValue } from "@mantine/hooks";
import type { CardPolicyDraft } from "@purser/client";
import { useMemo } from "react";

/** How long nobody types before a draft is tried. */
const pauseMs = 350;

/** The rules of a draft when nobody has typed for a while. Names decide nothing, so to type one changes nothing. */
export function useSettledRules(draft: CardPolicyDraft): CardPolicyDraft {
  const { name: _name, description: _description, ...rules } = draft;
  const [settled] = useDebouncedValue(JSON.stringify(rules), pauseMs);
  return useMemo(() => JSON.parse(settled, reviveDate) as CardPolicyDraft, [settled]);
}

const reviveDate = (key: string, value: unknown): unknown =>
  (key === "activeFrom" || key === "activeTo") && typeof value === "string" ? new Date(value) : value;
