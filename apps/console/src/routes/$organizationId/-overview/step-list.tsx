import { Button, Card, Group, List, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck, IconCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useOrganization } from "../../../data/organization.ts";

interface Step {
  title: string;
  path: string;
  isDone: boolean;
}

/** The steps with what is done, and a button for the next one. */
// oxlint-disable-next-line import/no-default-export -- React loads the default export of a module lazily.
export default function StepList({ steps, next }: { steps: readonly Step[]; next: string }) {
  const { organizationId } = useOrganization();
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
              {title === next && (
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
