import { Anchor, Button, Card, Center, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { TextLink } from "../components/links.tsx";
import { useAction } from "../data/action.tsx";
import { purser, queries } from "../data/purser.ts";
import { requireUser } from "../data/session.ts";
import { signOut } from "../data/sign-out.ts";
import { useUnsavedChanges } from "../data/unsaved.ts";

/** Creates an organization. The first page of a user who is a member of none. */
export const Route = createFileRoute("/welcome")({
  beforeLoad: ({ context }) => requireUser(context.queryClient),
  component: Welcome,
});

function Welcome() {
  const navigate = Route.useNavigate();
  const { data: me } = useQuery(queries.me.get.queryOptions());
  const form = useForm({ initialValues: { name: "" } });
  useUnsavedChanges(form);
  const create = useAction(
    (values: typeof form.values, attempt) => purser.organizations.create(values, attempt),
    {
      invalidates: [queries.me.get],
      form,
      onDone: (_, values) => form.resetDirty(values),
      next: ({ id }) => navigate({ to: "/$organizationId", params: { organizationId: id } }),
    },
  );
  return (
    <Center mih="100dvh" p="md" component="main">
      <Card withBorder w={420}>
        <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
          <Stack>
            <Group gap="xs">
              <img src="/assets/purser.svg" alt="" width={26} height={26} />
              <Text fw={650}>Purser</Text>
            </Group>
            <Title order={1} size="h2">
              Create your organization
            </Title>
            <Text c="dimmed" size="sm">
              It owns bank accounts, cards and a subscription. To join one that exists, open the link of your
              invitation.
            </Text>
            <TextInput label="Name" autoComplete="organization" {...form.getInputProps("name")} />
            <Button type="submit" loading={create.isPending}>
              Create
            </Button>
            {me !== undefined && me.memberships.length > 0 && (
              <TextLink size="sm" ta="center" to="/">
                Back to your organizations
              </TextLink>
            )}
            <Anchor component="button" type="button" size="sm" ta="center" onClick={() => void signOut()}>
              Sign out
            </Anchor>
          </Stack>
        </form>
      </Card>
    </Center>
  );
}
