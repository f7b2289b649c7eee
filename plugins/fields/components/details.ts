import { html, raw, type SafeHtml, safeUrl } from "framewright/host";
import { attributes, hidden, methodField } from "./attributes.ts";
import { drawGroups, groupedBy } from "./fieldsets.ts";
import type { ConfirmationView, ConflictRowView, ConflictView, DetailsView } from "./types.ts";

/** A record's attributes, each with its name; in two columns where some stand aside, and then in their groups. */
export function details({ items, fieldsets }: DetailsView): SafeHtml {
  const { others, groups } = groupedBy(items, fieldsets);
  if (groups.length === 0) return columnsOf(items);
  return html`${others.length > 0 && columnsOf(others)}${drawGroups(groups, { draw: (members) => listOf(members, "") })}`;
}

function columnsOf(items: DetailsView["items"]): SafeHtml {
  const aside = items.filter((item) => item.aside === true);
  const main = items.filter((item) => item.aside !== true);
  if (main.length === 0 || aside.length === 0) return listOf(items, "");
  return html`<div class="fw-record">${listOf(main, "")}${listOf(aside, " fw-details-side")}</div>`;
}

const listOf = (items: DetailsView["items"], style: string): SafeHtml =>
  html`<dl class="fw-details${style}">${items.map(
    ({ label, value, wide }) =>
      html`<div${raw(wide === true ? ' class="fw-details-wide"' : "")}><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;

/** Asks before something that can't be undone; a page of its own, and with JavaScript a dialog over the list. */
export function confirmation(view: ConfirmationView): SafeHtml {
  const { title, text, action, method, csrf, submitLabel, isDanger, cancelUrl, lockVersion, returnTo, t } = view;
  if (view.isBlocked)
    return html`<section class="fw-confirmation" data-confirmation><h1>${title}</h1><p>${text}</p><div class="fw-dialog-actions"><a class="btn" href="${safeUrl(cancelUrl)}" data-cancel>${t("framework.back")}</a></div></section>`;
  const style = isDanger || method === "delete" ? "btn-danger" : "btn-primary";
  const verb = method === "get" ? "get" : "post";
  const own = raw(view.download ? ' data-turbo="false"' : "");
  const carried = raw(
    (verb === "get" ? "" : methodField(method)) + hidden("lock_version", lockVersion) + hidden("return_to", returnTo),
  );
  return html`<section class="fw-confirmation" data-confirmation><h1>${title}</h1><p>${text}</p><form class="fw-dialog-actions" method="${verb}" action="${safeUrl(action)}"${own}>${csrf}${carried}${typedInput(view.typed)}<a class="btn" href="${safeUrl(cancelUrl)}" data-cancel>${t("framework.cancel")}</a><button class="btn ${style}">${submitLabel}</button></form></section>`;
}

function typedInput(typed: ConfirmationView["typed"]): SafeHtml | false {
  if (!typed) return false;
  const { name, label, error } = typed;
  const state = attributes({
    "aria-invalid": error ? "true" : undefined,
    "aria-describedby": error && "fw-typed-error",
  });
  const wrong = error && html`<p class="invalid-feedback" id="fw-typed-error" role="alert">${error}</p>`;
  return html`<div class="fw-dialog-typed"><label class="form-label" for="fw-typed">${label}</label><input class="form-control${raw(error ? " is-invalid" : "")}" id="fw-typed" name="${name}" inputmode="numeric" autocomplete="off" required${raw(state)}>${wrong}</div>`;
}

/** Who changed what since the form was opened, side by side: first what both changed, then what only one of them did. */
export function conflict({ rows, savedAt, button, t }: ConflictView): SafeHtml {
  if (rows.length === 0) return html`<p class="fw-panel-padded">${t("resource.conflict_none")}</p>`;
  const [theirs, yours] = [t("resource.conflict_theirs"), t("resource.conflict_yours")];
  const row = ({ name, label, by, ...value }: ConflictRowView) => {
    const use =
      by !== "them" &&
      html`<button class="btn btn-sm" form="${button.form}" name="${button.name}" value="${name}">${t("resource.conflict_use")}<span class="visually-hidden">: ${label}</span></button>`;
    const mine = by === "them" ? html`<span class="fw-none">${t("resource.conflict_untouched")}</span>` : value.yours;
    return html`<tr><th scope="row">${label}</th><td data-label="${theirs}">${value.theirs}${use}</td><td data-label="${yours}"${raw(by === "them" ? "" : ' class="fw-yours"')}>${mine}</td></tr>`;
  };
  const groups = (["both", "you", "them"] as const).map((by) => {
    const some = rows.filter((one) => one.by === by);
    const title = html`<tr class="fw-conflict-group"><th scope="rowgroup" colspan="3">${t(`resource.conflict_by.${by}`)}</th></tr>`;
    return some.length > 0 && html`<tbody>${title}${some.map(row)}</tbody>`;
  });
  const at = savedAt && html` <small>${savedAt}</small>`;
  return html`${defaultButton(button.form)}<div class="fw-table-wrap"><table class="table fw-table fw-conflict"><thead><tr><th scope="col">${t("resource.conflict_field")}</th><th scope="col">${theirs}${at}</th><th scope="col">${yours}</th></tr></thead>${groups}</table></div>`;
}

/** What Enter presses in a field: the first button that belongs to the form, which must not be one of the others. */
const defaultButton = (form: string): SafeHtml =>
  html`<button class="visually-hidden" form="${form}" tabindex="-1" aria-hidden="true"></button>`;
