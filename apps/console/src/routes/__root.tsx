import { Button, Center, Container } from "@mantine/core";
import type { QueryClient } from "@tanstack/react-query";
import { type ErrorComponentProps, Link, Outlet, createRootRouteWithContext } from "@tanstack/react-router";
import { Empty } from "../components/empty.tsx";
import { Problem } from "../components/problem.tsx";

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  errorComponent: Failure,
  notFoundComponent: NoPage,
});

function Failure({ error }: ErrorComponentProps) {
  return (
    <Container size="sm" py="xl">
      <Problem error={error} />
    </Container>
  );
}

function NoPage() {
  return (
    <Center mih="80dvh" p="md">
      <Empty
        title="There is no such page"
        action={
          <Button component={Link} to="/">
            Go to your organizations
          </Button>
        }
      />
    </Center>
  );
}
