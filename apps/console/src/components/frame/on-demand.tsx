import { type ComponentType, type ReactElement, Suspense, cloneElement, useState } from "react";

/** A menu that is loaded when its button is pressed for the first time, and is then open. */
export function OnDemand({
  button,
  menu: Menu,
}: {
  button: ReactElement<{ onClick?: () => void; "aria-haspopup"?: "menu" }>;
  menu: ComponentType<{ button: ReactElement }>;
}) {
  const [isWanted, setIsWanted] = useState(false);
  const closed = cloneElement(button, { onClick: () => setIsWanted(true), "aria-haspopup": "menu" });
  if (!isWanted) return closed;
  return (
    <Suspense fallback={closed}>
      <Menu button={button} />
    </Suspense>
  );
}
