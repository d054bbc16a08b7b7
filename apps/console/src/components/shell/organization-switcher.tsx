import { Menu, Text } from "@mantine/core";
import { IconCheck, IconPlus } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { inWords } from "../../data/format.ts";
import { useOrganization } from "../../data/organization.ts";
import { queries } from "../../data/purser.ts";

/** Leads to another organization of the user. The address says which one is open. */
// oxlint-disable-next-line import/no-default-export -- React loads the default export of a module lazily.
export default function OrganizationSwitcher({ button }: { button: ReactElement }) {
  const { organizationId } = useOrganization();
  const { data: me } = useSuspenseQuery(queries.me.get.queryOptions());
  return (
    <Menu defaultOpened width="target" position="bottom-start">
      <Menu.Target>{button}</Menu.Target>
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
              {inWords(own.role)}
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
