import { csrfInput, html, type RequestContext, raw, type SafeHtml, safeUrl } from "framewright/host";
import { type FieldView, field, ORIGINALS, type Translate } from "framewright/plugins/fields";
import { defaultButton, hidden } from "framewright/plugins/fields/toolkit";

/** The input of one cell of a list, with its buttons. */
export interface CellFormView {
  action: string;
  field: FieldView;
  request: RequestContext;
  errors: readonly string[];
  lockVersion: string | number;
  /** A mark of the value that the input began with. */
  originals: string;
  /** What is stored now, where somebody else saved it meanwhile. */
  saved: SafeHtml | undefined;
  returnTo: string | undefined;
  cancelUrl: string;
  t: Translate;
}

/** A form of one input, for its cell and for a page of its own. */
export function cellForm({
  action,
  field: view,
  request,
  errors,
  saved,
  cancelUrl,
  t,
  ...rest
}: CellFormView): SafeHtml {
  const version = hidden("lock_version", rest.lockVersion) + hidden(ORIGINALS, rest.originals);
  const carried = hidden("_method", "patch") + version + hidden("return_to", rest.returnTo);
  const conflict =
    saved &&
    html`<p class="fw-cell-conflict" role="alert">${t("resource.cell_conflict")} <strong>${saved}</strong></p>`;
  const wrong = errors.map((message) => html`<p class="fw-field-errors" role="alert">${message}</p>`);
  const frame = raw(request.frame === undefined ? "" : html` data-turbo-frame="${request.frame}"`.html);
  return html`<form class="fw-cell-form" method="post" action="${safeUrl(action)}" accept-charset="utf-8" novalidate${frame}>${view.editor && defaultButton}${csrfInput(request, action, "patch")}${raw(carried)}${conflict}${wrong}${field(view, t)}<div class="fw-cell-buttons"><button class="btn btn-primary">${t("framework.save")}</button><a class="btn" href="${safeUrl(cancelUrl)}" data-cell-cancel>${t("framework.cancel")}</a></div></form>`;
}
