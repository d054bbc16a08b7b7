import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./page-tabs.module.css";

interface Tab<Name extends string> {
  name: Name;
  label: string;
  content: ReactNode;
}

/** The parts of a page, of which one is open. The page keeps in its address which one. */
export function PageTabs<Name extends string>({
  tabs,
  open,
  onOpen,
  label,
}: {
  tabs: readonly Tab<Name>[];
  open: Name;
  onOpen: (name: Name) => void;
  /** What screen readers call the list of tabs. */
  label: string;
}) {
  return (
    <Tabs
      value={open}
      onChange={(name) => {
        if (name !== null) onOpen(name as Name);
      }}
      keepMounted={false}
    >
      <Tabs.List aria-label={label} mb="lg" className={classes.list}>
        {tabs.map(({ name, label: title }) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
