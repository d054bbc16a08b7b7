import { backtest } from "./backtest.ts";
import { decisions } from "./decisions.ts";

/** What cards are meant to do fast. */
export const cards = { decisions, backtest };
