import { Anchor, Button, Card, Center, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { PurserError } from "@purser/client";
import { useMutation } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { queries } from "../data/purser.ts";
import { requireUser } from "../data/session.ts";
import { signOut } from "../data/sign-out.ts";

/** The first page of a user who is a member of no organization. */
export const Route = createFileRoute("/welcome")({
  beforeLoad: ({ context }) => requireUser(context.queryClient),
  component: Welcome,
});

function Welcome() {
  const navigate = Route.useNavigate();
  const { queryClient } = Route.useRouteContext();
  const form = useForm({ initialValues: { name: "" } });
  const create = useMutation({
    ...queries.organizations.create.mutationOptions(),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: queries.me.get.queryKey() });
      await navigate({ to: "/$organizationId", params: { organizationId: id } });
    },
    onError: (error) => {
      if (error instanceof PurserError) form.setFieldError("name", error.issues[0]?.message ?? error.message);
    },
  });
  return (
    <Center mih="100dvh" p="md" component="main">
      <Card withBorder w={420}>
        <form onSubmit={form.onSubmit(({ name }) => create.mutate({ name }))}>
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
            <Anchor component="button" type="button" size="sm" ta="center" onClick={() => void signOut()}>
              Sign out
            </Anchor>
          </Stack>
        </form>
      </Card>
    </Center>
  );
}
