import { Button, Group, Modal, Text, getDefaultZIndex } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";

export interface Confirmation {
  title: string;
  children: ReactNode;
  /** The words of the button, such as "Close the card". */
  action: string;
  /** The words of the button that changes nothing. Default: "Cancel". */
  dismiss?: string;
  isHarmless?: boolean;
}

interface ConfirmDialogProps extends Confirmation {
  isOpen: boolean;
  answer: (isConfirmed: boolean) => void;
}

/** Every open dialog listens to Escape at the window. This one handles it alone. */
const keepsEscape = { "data-mantine-stop-propagation": true };

// oxlint-disable-next-line import/no-default-export -- React loads the default export of a module lazily.
export default function ConfirmDialog({
  title,
  children,
  action,
  dismiss = "Cancel",
  isHarmless = false,
  isOpen,
  answer,
}: ConfirmDialogProps) {
  // A modal returns the focus to what has it when `opened` changes, so it must not be open from the beginning.
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(isOpen), [isOpen]);
  return (
    <Modal
      opened={opened}
      onClose={() => answer(false)}
      onKeyDown={({ key }) => key === "Escape" && answer(false)}
      title={title}
      centered
      withCloseButton={false}
      // Above a dialog that asks before it is closed.
      zIndex={getDefaultZIndex("popover")}
    >
      <Text size="sm" component="div">
        {children}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus {...keepsEscape} onClick={() => answer(false)}>
          {dismiss}
        </Button>
        <Button {...(!isHarmless && { color: "red" })} {...keepsEscape} onClick={() => answer(true)}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
