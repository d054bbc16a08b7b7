import { type ComponentType, type ReactElement, cloneElement } from "react";
import { useOnDemand } from "../on-demand.ts";

/** A menu that is loaded when its button is pressed for the first time, and is then open. */
export function OnDemand({
  button,
  importModule,
}: {
  button: ReactElement<{ onClick?: () => void; "aria-haspopup"?: "menu" }>;
  importModule: () => Promise<{ default: ComponentType<{ button: ReactElement }> }>;
}) {
  const [Menu, load] = useOnDemand(importModule);
  if (Menu !== undefined) return <Menu button={button} />;
  return cloneElement(button, { onClick: () => void load(), "aria-haspopup": "menu" });
}
