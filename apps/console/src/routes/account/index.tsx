import { Anchor, AppShell, Group, Stack, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, createFileRoute } from "@tanstack/react-router";
import { Page } from "../../components/page.tsx";
import { queries } from "../../data/purser.ts";
import { requireUser } from "../../data/session.ts";
import { AccountDeletion } from "./-account-deletion.tsx";
import { EmailSection } from "./-email-section.tsx";
import { PasswordSection } from "./-password-section.tsx";
import { PersonalKeys } from "./-personal-keys.tsx";
import { ProfileSection } from "./-profile-section.tsx";
import { SecondFactor } from "./-second-factor.tsx";
import { Sessions } from "./-sessions.tsx";

/** The page on which people look after their own account, in whatever organizations they are. */
export const Route = createFileRoute("/account/")({
  beforeLoad: async ({ context }) => void (await requireUser(context.queryClient)),
  component: Account,
});

function Account() {
  const { data: me } = useSuspenseQuery(queries.me.get.queryOptions());
  return (
    <AppShell header={{ height: 56 }} padding="md">
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between">
          <Group gap="sm">
            <img src="/assets/purser.svg" alt="" width={28} height={28} />
            <Text fw={650}>Purser</Text>
          </Group>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/" />}>
            <Group gap={4}>
              <IconArrowLeft size={16} aria-hidden />
              Back to the console
            </Group>
          </Anchor>
        </Group>
      </AppShell.Header>
      <AppShell.Main>
        <Stack maw={720} mx="auto">
          <Page title="Your account" description={`You are signed in as ${me.email}.`}>
            <ProfileSection me={me} />
            <EmailSection me={me} />
            <PasswordSection email={me.email} />
            <SecondFactor isOn={me.twoFactorEnabled} />
            <Sessions />
            <PersonalKeys />
            <AccountDeletion />
          </Page>
        </Stack>
      </AppShell.Main>
    </AppShell>
  );
}
