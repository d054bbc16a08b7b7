import { Button, Menu, Text } from "@mantine/core";
import { IconCheck, IconPlus, IconSelector } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useOrganization } from "../../data/organization.ts";
import { queries } from "../../data/purser.ts";

/** Leads to another organization of the user. The address says which one is open. */
export function OrganizationSwitcher() {
  const { organizationId, name } = useOrganization();
  const { data: me } = useSuspenseQuery(queries.me.get.queryOptions());
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          rightSection={<IconSelector size={16} />}
          aria-description="Organization"
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {me.memberships.map((own) => (
          <Menu.Item
            key={own.id}
            renderRoot={(props) => (
              <Link {...props} to="/$organizationId" params={{ organizationId: own.organizationId }} />
            )}
            rightSection={own.organizationId === organizationId ? <IconCheck size={14} /> : null}
          >
            {own.organizationName}
            <Text size="xs" c="dimmed">
              {own.role === "OWNER" ? "Owner" : "Member"}
            </Text>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/welcome" leftSection={<IconPlus size={14} />}>
          New organization
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
