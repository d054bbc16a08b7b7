import { Menu, SegmentedControl, Text, useMantineColorScheme } from "@mantine/core";
import { referenceUrl } from "@purser/client";
import { IconBook, IconLogout, IconUser } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { baseUrl } from "../../data/base-url.ts";
import { queries } from "../../data/purser.ts";
import { signOut } from "../../data/sign-out.ts";

/** Who is signed in, the theme, and the way out. */
// oxlint-disable-next-line import/no-default-export -- React loads the default export of a module lazily.
export default function UserMenu({ button }: { button: ReactElement }) {
  const { data: me } = useSuspenseQuery(queries.me.get.queryOptions());
  const name = me.name ?? me.email;
  return (
    <Menu defaultOpened width={240} position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Text size="sm" fw={550} px="sm" pt={4} truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed" px="sm" pb="xs" truncate>
          {me.email}
        </Text>
        <Menu.Divider />
        {/* Without the router: the account has another shell, and guests another page. */}
        <Menu.Item component="a" href="/account" leftSection={<IconUser size={16} />}>
          Your account
        </Menu.Item>
        <Menu.Item component="a" href={referenceUrl(baseUrl)} leftSection={<IconBook size={16} />}>
          API reference
        </Menu.Item>
        <ThemeControl />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ThemeControl() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label id="theme">Theme</Menu.Label>
      <SegmentedControl
        aria-labelledby="theme"
        fullWidth
        mb={4}
        size="xs"
        value={colorScheme}
        onChange={(chosen) => setColorScheme(chosen)}
        data={[
          { value: "light", label: "Light" },
          { value: "dark", label: "Dark" },
          { value: "auto", label: "System" },
        ]}
      />
    </>
  );
}
