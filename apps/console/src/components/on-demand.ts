import { notifications } from "@mantine/notifications";
import { type ComponentType, useState } from "react";

/**
 * A component whose code is loaded when it is first needed. `load` resolves to whether it is there. If it cannot be loaded,
 * the page says so and stays, with everything that is written on it.
 */
export function useOnDemand<Props>(importModule: () => Promise<{ default: ComponentType<Props> }>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  const load = async (): Promise<boolean> => {
    try {
      const module = await importModule();
      setLoaded(() => module.default);
      return true;
    } catch {
      // There is no connection, or the service has been updated and serves only the files of the new version. Either way, the
      // browser does not ask for the same file again before the page is reloaded.
      notifications.show({
        id: "not-loaded",
        color: "red",
        title: "This could not be loaded",
        message: "Check your connection, save what you have written, then reload the page.",
        autoClose: false,
        role: "alert",
      });
      return false;
    }
  };
  return [Loaded, load] as const;
}
