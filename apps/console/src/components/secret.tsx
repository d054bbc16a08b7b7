import { ActionIcon, Alert, Button, Code, Group, Stack, Text, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useCopiedText } from "../data/copied-text.ts";
import { useUnstoredSecret } from "../data/unsaved.ts";

/** A text to copy, such as a key. It wraps instead of leaving the page. */
export function Copyable({ value, label }: { value: string; label: string }) {
  const { shown, state, copy } = useCopiedText<HTMLElement>();
  const isCopied = state === "copied";
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <Code ref={shown} flex={1} fz="sm" p="xs" aria-label={label} style={{ whiteSpace: "pre-wrap" }}>
        {value}
      </Code>
      <Tooltip
        label={isCopied ? "Copied" : state === "selected" ? "Selected. Copy it with the keyboard." : "Copy"}
      >
        <ActionIcon
          variant="default"
          size="lg"
          onClick={() => void copy()}
          aria-label={isCopied ? `${label}: copied` : `Copy: ${label}`}
        >
          {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

/** What keeps a dialog open while a secret is on its way, or is not stored yet. */
export const staysOpen = (isUnstored: boolean) => ({
  closeOnClickOutside: !isUnstored,
  closeOnEscape: !isUnstored,
  withCloseButton: !isUnstored,
});

/** A secret that the service tells only once, in the dialog that created it. */
export function ShownOnce({
  value,
  label,
  children,
  onDone,
}: {
  value: string;
  label: string;
  children?: ReactNode;
  onDone: () => void;
}) {
  useUnstoredSecret(true);
  // The form that has created it had the focus. On the button, a second Enter would take the secret away.
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <Stack>
      <Alert ref={notice} tabIndex={-1} color="orange" title="Copy it now">
        <Text size="sm">Purser does not store it in readable form. It is not shown again.</Text>
      </Alert>
      <Copyable value={value} label={label} />
      {children}
      <Group justify="flex-end">
        <Button onClick={onDone}>I have stored it</Button>
      </Group>
    </Stack>
  );
}
