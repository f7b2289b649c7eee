import { type BaseController, html, localeOf, type SafeHtml } from "framewright/host";
import { timeTag } from "framewright/plugins/views";
import type { TimelineItem } from "../contract.ts";
import { areNamed, meansText, nameOf, personJson } from "./names.ts";
import type { ShownEntry } from "./shown_changes.ts";

/** The buttons of an entry that take its fields back, by the names of these, and all of them at once. */
export interface RevertButtons {
  readonly fields: ReadonlyMap<string, SafeHtml>;
  readonly all: SafeHtml | undefined;
}

/** An entry as an item of a timeline. */
export function itemOf(
  controller: BaseController,
  shown: ShownEntry,
  { title, revert }: { readonly title?: SafeHtml; readonly revert?: RevertButtons } = {},
): TimelineItem {
  const { entry, changes } = shown;
  const { at, id, kind } = entry;
  const means = meansText(controller, entry);
  const rows = changes.map(
    ({ name, label, html: value }) =>
      html`<div><dt>${label}</dt><dd>${value ?? controller.t("history.changed_secret")}${revert?.fields.get(name)}</dd></div>`,
  );
  return {
    at,
    key: `history:${id}`,
    person: nameOf(controller, entry),
    html: html`<p class="fw-history-what">${title ?? controller.t(`history.kinds.${kind}`)}${means && html` <small>${means}</small>`}${revert?.all}</p>${rows.length > 0 && html`<dl class="fw-history-changes">${rows}</dl>`}`,
    json: jsonOf(controller, shown),
  };
}

function jsonOf(controller: BaseController, { entry, changes }: ShownEntry): Record<string, unknown> {
  const { id, kind, means } = entry;
  const { source, portal } = areNamed(controller, entry) ? entry : { source: null, portal: null };
  const who = { by: personJson(controller, entry), means, source, portal };
  return { id, kind, ...who, changes: Object.fromEntries(changes.map(({ name, json }) => [name, json])) };
}

/** Items in their order, the newest first. */
export function drawTimeline(
  controller: BaseController,
  items: readonly TimelineItem[],
  linkOf: (item: TimelineItem) => string | undefined = () => undefined,
): SafeHtml {
  const { request } = controller;
  const time = (at: Date) => timeTag(at, request.timeZone, localeOf(request.locale));
  return html`<ol class="fw-history">${items.map(
    (item) =>
      html`<li><p class="fw-history-who"><strong>${nameIn(controller, item, linkOf(item))}</strong> ${time(item.at)}</p>${item.html}</li>`,
  )}</ol>`;
}

function nameIn(controller: BaseController, { person }: TimelineItem, link: string | undefined): SafeHtml {
  const name = person ?? controller.t("history.nobody");
  return link === undefined ? html`${name}` : html`<a href="${link}">${name}</a>`;
}
