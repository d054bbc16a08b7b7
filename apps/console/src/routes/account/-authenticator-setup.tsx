import { Anchor, Box, Button, Code, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { QRCodeSVG } from "qrcode.react";
import { Copyable } from "../../components/secret.tsx";

/** What the authenticator scans, the backup codes, and the field for the first code. */
export function AuthenticatorSetup({
  totpURI,
  backupCodes,
  isPending,
  onCode,
  onCancel,
}: {
  totpURI: string;
  backupCodes: readonly string[];
  isPending: boolean;
  onCode: (code: string) => void;
  onCancel: () => void;
}) {
  const form = useForm({ initialValues: { code: "" } });
  return (
    <Stack>
      <Text size="sm" fw={550}>
        1. Scan this with your authenticator app.
      </Text>
      <Group align="center" gap="lg">
        {/* Scanners need dark on light, whatever the theme. */}
        <Box bg="white" p="sm" bdrs="md" lh={0}>
          <QRCodeSVG value={totpURI} size={176} title="QR code for your authenticator app" />
        </Box>
        <Stack flex={1} miw={220} gap="xs">
          <Text size="sm">Or type this key into the app:</Text>
          <Copyable value={new URL(totpURI).searchParams.get("secret") ?? ""} label="Authenticator key" />
          <Anchor href={totpURI} size="sm">
            Open it in an app on this device
          </Anchor>
        </Stack>
      </Group>
      <Text size="sm" fw={550}>
        2. Store these backup codes.
      </Text>
      <BackupCodes codes={backupCodes} />
      <form noValidate onSubmit={form.onSubmit(({ code }) => onCode(code.replaceAll(/\s/g, "")))}>
        <TextInput
          label="3. Enter the code that the app shows now."
          inputMode="numeric"
          autoComplete="one-time-code"
          maw={280}
          {...form.getInputProps("code")}
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={form.values.code.trim() === ""}>
            Switch it on
          </Button>
        </Group>
      </form>
    </Stack>
  );
}

export function BackupCodes({ codes }: { codes: readonly string[] }) {
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        Each signs you in once, if you lose the app. They are not shown again.
      </Text>
      <SimpleGrid
        component="ul"
        cols={{ base: 2, xs: 5 }}
        spacing="xs"
        aria-label="Backup codes"
        m={0}
        p={0}
        style={{ listStyle: "none" }}
      >
        {codes.map((code) => (
          <li key={code}>
            <Code fz="sm">{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Copyable value={codes.join(" ")} label="All backup codes" />
    </Stack>
  );
}
