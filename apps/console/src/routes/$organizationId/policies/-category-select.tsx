import { MultiSelect, type MultiSelectProps } from "@mantine/core";
import type { MerchantCategory } from "@purser/client";
import { inWords } from "../../../data/format.ts";
import { useMerchantCategories } from "../../../data/merchant-categories.ts";

/** Chooses merchant categories by name or code (MCC). */
export function CategorySelect({ value = [], ...props }: MultiSelectProps) {
  const categories = useMerchantCategories();
  const known = categories.data ?? [];
  const names = new Set(known.map(({ name }) => name));
  const byCode = new Map(known.map((category) => [category.code, category]));
  // A policy may name a category by its code, which is another choice where the name includes more codes.
  const codes = value.filter((chosen) => !names.has(chosen));
  const groups = Map.groupBy(known, ({ group }) => group);
  return (
    <MultiSelect
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Remove all categories" }}
      hidePickedOptions
      limit={80}
      maxDropdownHeight={320}
      placeholder={value.length === 0 ? "Search by name or MCC" : ""}
      nothingFoundMessage={
        categories.isPending
          ? "Loading categories"
          : categories.data === undefined
            ? "The categories could not be read"
            : "No such category"
      }
      value={value}
      data={[
        ...[...groups].map(([group, items]) => ({
          group: inWords(group),
          items: items.map((category) => ({ value: category.name, label: labelOf(category) })),
        })),
        ...(codes.length === 0
          ? []
          : [
              {
                group: "By code",
                items: codes.map((code) => ({ value: code, label: codeLabel(code, byCode) })),
              },
            ]),
      ]}
      {...props}
    />
  );
}

const labelOf = ({ label, code, includes }: MerchantCategory): string =>
  includes === null ? `${label} · ${code}` : `${label} · ${code}, ${includes.from}–${includes.to}`;

function codeLabel(code: string, byCode: ReadonlyMap<string, MerchantCategory>): string {
  const category = byCode.get(code);
  if (category === undefined) return code;
  return category.includes === null ? labelOf(category) : `${category.label} · ${code} only`;
}
