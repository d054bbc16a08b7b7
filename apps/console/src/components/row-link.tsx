import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import classes from "./row-link.module.css";

/** A row of a list that is a link as a whole. */
export const RowLink = createLink((props: Omit<ComponentProps<"a">, "className">) => (
  <a {...props} className={classes.row} />
));
