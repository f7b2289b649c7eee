import { escapeHtml, html, raw, type SafeHtml, safeUrl } from "framewright/host";
import { recordBar } from "./actions.ts";
import { attributes, hidden, methodField } from "./attributes.ts";
import { isNothing } from "./displays.ts";
import { drawGroups, groupedBy } from "./fieldsets.ts";
import type {
  ActionView,
  ConfirmationView,
  ConflictRowView,
  ConflictView,
  DetailItem,
  DetailsView,
  Translate,
} from "./types.ts";

type Items = readonly DetailItem[];

/**
 * A record's attributes, each with its name; in two columns where some are aside, and then in their groups. With `t`, what has
 * no value is folded away.
 */
export function details({ items, fieldsets, t }: DetailsView): SafeHtml {
  const { others, groups } = groupedBy(items, fieldsets);
  if (groups.length === 0) return columnsOf(items, t);
  return html`${others.length > 0 && columnsOf(others, t)}${drawGroups(groups, { draw: (members) => listOf(members, "", t) })}`;
}

function columnsOf(items: Items, t: Translate | undefined): SafeHtml {
  const aside = items.filter((item) => item.aside === true);
  const main = items.filter((item) => item.aside !== true);
  if (main.length === 0 || aside.length === 0) return listOf(items, "", t);
  return html`<div class="fw-record">${listOf(main, "", t)}${listOf(aside, " fw-details-side", t)}</div>`;
}

/** What has a value, then when the record was created and changed, then what has none; a list without any value is shown as it is. */
function listOf(items: Items, style: string, t: Translate | undefined): SafeHtml {
  if (!t) return raw(pairs(items, style));
  const shown: DetailItem[] = [];
  const stamps: DetailItem[] = [];
  const unset: DetailItem[] = [];
  for (const item of items) (isNothing(item.value) ? unset : item.isStamp ? stamps : shown).push(item);
  if (unset.length === items.length) return raw(pairs(items, style));
  const folded =
    unset.length > 0
      ? `<details class="fw-unset"><summary>${escapeHtml(t("framework.unset_fields", { count: unset.length }))}</summary>${pairs(unset, "")}</details>`
      : "";
  const [first, last] = [
    shown.length > 0 ? pairs(shown, "") : "",
    stamps.length > 0 ? pairs(stamps, " fw-stamps") : "",
  ];
  return raw(`<div class="fw-details-part${style}">${first}${folded}${last}</div>`);
}

function pairs(items: Items, style: string): string {
  let out = `<dl class="fw-details${style}">`;
  for (const { label, value, wide } of items)
    out += `<div${wide === true ? ' class="fw-details-wide"' : ""}><dt>${escapeHtml(label)}</dt><dd>${value.html}</dd></div>`;
  return `${out}</dl>`;
}

const MAX_FACTS = 4;
/** What is most informative about a record, in its order. */
const factOrder = ["reference", "date", "amount"] as const;

/** The actions of a record's page, what the button is called behind which some of them are, and a menu before them. */
interface HeadActions {
  actions: readonly ActionView[];
  more: string;
  menu?: SafeHtml | undefined;
}

/** The head of a record's page: its state beside the title, up to four facts below it, and its actions; nothing for what it has not. */
export function recordHead(items: Items, { actions, more, menu }: HeadActions) {
  let state: SafeHtml | undefined;
  let facts = "";
  let count = 0;
  for (const kind of factOrder)
    for (const { fact, label, value, isStamp } of items) {
      if (fact === "state") state ??= isNothing(value) ? undefined : value;
      if (fact !== kind || isStamp === true || count === MAX_FACTS || isNothing(value)) continue;
      count++;
      const name = escapeHtml(label);
      facts += `<li>${kind === "reference" ? `<span class="visually-hidden">${name}: </span>` : `${name} `}${value.html}</li>`;
    }
  return {
    state,
    facts: count > 0 ? raw(`<ul class="fw-facts">${facts}</ul>`) : undefined,
    action_bar: recordBar(actions, more, menu),
  };
}

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
