import { Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import type { ReactNode } from "react";

/** Asks before something that cannot be undone. Resolves to whether the person agreed. */
export function confirm({
  title,
  children,
  action,
  isHarmless = false,
}: {
  title: string;
  children: ReactNode;
  /** The words of the button, such as "Close the card". */
  action: string;
  isHarmless?: boolean;
}): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: (
        <Text size="sm" component="div">
          {children}
        </Text>
      ),
      labels: { confirm: action, cancel: "Cancel" },
      confirmProps: isHarmless ? {} : { color: "red" },
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    });
  });
}
