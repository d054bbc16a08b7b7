import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useMatches, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { usePages } from "./shell/pages.ts";
import classes from "./page.module.css";

/** The frame of every page: the way back, its heading, what it is for, its main actions, and its content. */
export function Page({
  title,
  description,
  actions,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  useDocumentTitle(`${title} · Purser`);
  return (
    <Stack gap="lg" maw={1240} mx="auto">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <BackLink />
          <Title order={1} size="h2">
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" mt={4} maw={720} component="div">
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && (
          <Group gap="xs" className={classes.actions}>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}

/** Leads from a page below one of the navigation, which is out of sight on a phone, to that one. */
function BackLink() {
  const { organizationId } = useParams({ strict: false });
  const path: string = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? "" });
  const parent = usePages().find(
    ({ to, label }) => label !== "Overview" && path.startsWith(`${to}/`) && path !== `${to}/`,
  );
  if (parent === undefined || organizationId === undefined) return null;
  return (
    <Anchor
      size="sm"
      c="dimmed"
      renderRoot={(props) => <Link {...props} to={parent.to} params={{ organizationId }} />}
    >
      <Group gap={4} mb={4}>
        <IconArrowLeft size={14} aria-hidden />
        {parent.label}
      </Group>
    </Anchor>
  );
}
