import { Button, Group, Modal, Text } from "@mantine/core";
import type { ReactNode } from "react";

export interface Confirmation {
  title: string;
  children: ReactNode;
  /** The words of the button, such as "Close the card". */
  action: string;
  /** The words of the button that changes nothing. Default: "Cancel". */
  dismiss?: string;
  isHarmless?: boolean;
}

export interface OpenConfirmation extends Confirmation {
  answer: (isConfirmed: boolean) => void;
}

// oxlint-disable-next-line import/no-default-export -- React loads the default export of a module lazily.
export default function ConfirmDialog({
  title,
  children,
  action,
  dismiss = "Cancel",
  isHarmless = false,
  answer,
}: OpenConfirmation) {
  return (
    <Modal opened onClose={() => answer(false)} title={title} centered>
      <Text size="sm" component="div">
        {children}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus onClick={() => answer(false)}>
          {dismiss}
        </Button>
        <Button {...(!isHarmless && { color: "red" })} onClick={() => answer(true)}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
