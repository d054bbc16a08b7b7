import { Button, Card, Group, List, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck, IconCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";

/** What a new organization does first. It goes once all is done. */
export function Steps({ hasAccounts }: { hasAccounts: boolean }) {
  const { organizationId, can } = useOrganization();
  const cards = useQuery(queries.cards.list.queryOptions({ organizationId }));
  const members = useQuery(queries.organizations.members.list.queryOptions({ organizationId, limit: 2 }));
  const all = [
    { title: "Connect a bank", path: "accounts/connect", calls: "banking.link.create", isDone: hasAccounts },
    { title: "Issue a card", path: "cards/new", calls: "cards.create", isDone: cards.data?.length !== 0 },
    {
      title: "Invite someone",
      path: "team",
      calls: "organizations.invitations.create",
      isDone: members.data === undefined || members.data.length > 1,
    },
  ] as const;
  const steps = all.filter(({ calls }) => can(calls));
  const next = steps.find(({ isDone }) => !isDone);
  // Once money is there, the page has better things to show.
  if (next === undefined || (hasAccounts && next.path === "team")) return null;
  return (
    <Card withBorder component="section" aria-label="First steps">
      <Title order={2} size="h4">
        Set up your organization
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        Three steps, and the money is in view.
      </Text>
      <List spacing="sm" center listStyleType="none" pl={0}>
        {steps.map(({ title, path, isDone }) => (
          <List.Item
            key={path}
            icon={
              <ThemeIcon size={24} radius="xl" variant="light" color={isDone ? "green" : "gray"}>
                {isDone ? <IconCheck size={14} /> : <IconCircle size={14} />}
              </ThemeIcon>
            }
          >
            <Group gap="md">
              <Text {...(isDone && { c: "dimmed", td: "line-through" })}>{title}</Text>
              {title === next.title && (
                <Button
                  size="xs"
                  renderRoot={(props) => (
                    <Link
                      {...props}
                      // The pages have the parameters of this one.
                      to={`/$organizationId/${path}` as "/$organizationId"}
                      params={{ organizationId }}
                    />
                  )}
                >
                  {title}
                </Button>
              )}
            </Group>
          </List.Item>
        ))}
      </List>
    </Card>
  );
}
