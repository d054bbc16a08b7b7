import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./theme.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider, createRouter } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Confirmations } from "./components/confirm.tsx";
import { UnsavedChangesBlocker } from "./components/unsaved-changes-blocker.tsx";
import { queryClient } from "./data/query-client.ts";
import { routeTree } from "./routeTree.gen.ts";
import { cssVariables, theme } from "./theme.ts";

const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: "intent",
  // TanStack Query decides what is fresh.
  defaultPreloadStaleTime: 0,
  // A page about another thing begins again: what is written or asked on it is about the one before.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

// The content security policy lets in the styles that Mantine writes by this number, which differs in each response.
const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
// `react-remove-scroll`, which locks the page behind a dialog, takes the number for its styles from this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications />
        <Confirmations router={router} />
        <UnsavedChangesBlocker router={router} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
