/** What decides a page's layout. All of it comes from code, or from Turbo's own header; never from a parameter. */
export interface LayoutChoice {
  /** The id of the Turbo frame that asks. */
  frame?: string | undefined;
  /** What the controller or the route names. */
  layout?: string | undefined;
  host: "portal" | "main";
}

export function chooseLayout(page: LayoutChoice, standard: { portal: string; main: string }): string {
  if (page.frame !== undefined) return "none";
  return page.layout ?? standard[page.host];
}
