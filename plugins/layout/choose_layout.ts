import type { LayoutChoice } from "./contract.ts";

/** The layout of a page that nobody chose one for. */
export function chooseLayout(page: LayoutChoice, defaults: { portal: string; main: string }): string {
  if (page.frame !== undefined) return "none";
  return page.layout ?? defaults[page.host];
}
