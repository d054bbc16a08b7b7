import { Anchor, type AnchorProps, Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

type LinkAttributes = Omit<ComponentProps<"a">, keyof ButtonProps | "type">;

/** A link to a page of the console that looks like a button. */
export const ButtonLink = createLink((props: ButtonProps & LinkAttributes) => (
  <Button component="a" {...props} />
));

/** A link to a page of the console within a text. */
export const TextLink = createLink((props: AnchorProps & Omit<ComponentProps<"a">, keyof AnchorProps>) => (
  <Anchor {...props} />
));
