import { Button, Group, Modal, Text } from "@mantine/core";
import type { OpenConfirmation } from "./confirm.tsx";

// oxlint-disable-next-line import/no-default-export -- React loads the default export of a module lazily.
export default function ConfirmDialog({
  title,
  children,
  action,
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
          Cancel
        </Button>
        <Button {...(!isHarmless && { color: "red" })} onClick={() => answer(true)}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
