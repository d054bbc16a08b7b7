import { Select, type SelectProps } from "@mantine/core";
import { useMerchantCategories } from "../../../data/merchant-categories.ts";

/** Chooses one merchant category by name or code (MCC), or none. */
export function OneCategory(props: SelectProps) {
  const categories = useMerchantCategories();
  return (
    <Select
      searchable
      clearable
      clearButtonProps={{ "aria-label": "No category" }}
      limit={80}
      placeholder="No category"
      data={
        categories.data?.map(({ name, label, code }) => ({
          value: name,
          label: `${label} · ${code}`,
        })) ?? []
      }
      {...props}
    />
  );
}
