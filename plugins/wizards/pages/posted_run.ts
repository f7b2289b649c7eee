import { type BaseController, csrfInput, html, type Params, type SafeHtml } from "framewright/host";
import type { Run } from "../contract/index.ts";

/** The input with the id of the form's run: the URL of a keyed run is also that of the next one. */
const RUN_FIELD = "_run";

/** The hidden inputs of a run's form. */
export const hiddenInputs = ({ request }: BaseController, { id }: Run, url: string): SafeHtml =>
  html`${csrfInput(request, url)}<input type="hidden" name="wizard[${RUN_FIELD}]" value="${id}">`;

/** The id of the run that a form belongs to; undefined when it sends none, as scripts may. */
export const postedRunId = (params: Params): number | undefined => runIdOf(params.get(RUN_FIELD));

/** The id of a run; undefined for any other text. */
export const runIdOf = (text: unknown): number | undefined =>
  /^[1-9]\d{0,14}$/.test(String(text)) ? Number(text) : undefined;
