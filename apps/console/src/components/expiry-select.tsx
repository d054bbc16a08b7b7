import { Select, type SelectProps } from "@mantine/core";

/** How long a new key is valid, in days. An empty text is for ever. */
export const defaultExpiry = "90";

const choices = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "One year" },
  { value: "", label: "Until it is revoked" },
];

export const expirySeconds = (days: string): number | null => (days === "" ? null : Number(days) * 86_400);

/** Asks how long a new key is valid. */
export function ExpirySelect(props: Omit<SelectProps, "data" | "label">) {
  return <Select label="Valid for" data={choices} allowDeselect={false} {...props} />;
}
