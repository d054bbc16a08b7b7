import { Skeleton, Stack } from "@mantine/core";

/** The outline of a list that is being read. */
export function Rows({ count = 6, height = 44 }: { count?: number; height?: number }) {
  return (
    <Stack gap="xs" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} h={height} />
      ))}
    </Stack>
  );
}
