import { type BaseController, csrfInput, html, type Params, type SafeHtml } from "framewright/host";
import type { Run } from "../contract/index.ts";

/** Says in a form which run it is of: the address of a keyed one is also that of the next. */
const RUN = "_run";

/** What a form of a run sends along with what is typed. */
export const hiddenInputs = ({ request }: BaseController, { id }: Run, url: string): SafeHtml =>
  html`${csrfInput(request, url)}<input type="hidden" name="wizard[${RUN}]" value="${id}">`;

/** The run that a form says it is of; undefined where it says none, as a script's. */
export function askedRun(params: Params): number | undefined {
  const said = params.get(RUN);
  return /^[1-9]\d{0,14}$/.test(String(said)) ? Number(said) : undefined;
}
