import { html, notFound, type Reply, type SafeHtml, safeUrl } from "framewright/host";
import type { ResourceRequest } from "framewright/plugins/resources";
import { chrome, ListChoices, ListUrls, requestedList } from "framewright/plugins/resources/toolkit";
import { FRAME } from "./bar.ts";
import { columnsOption, displayOption } from "./columns.ts";
import { changeAt, groupAt, type Match, mayNest, type Place, placeOf } from "./condition_tree.ts";
import { type Option, type OptionView, optionUrl } from "./option.ts";
import { setOption } from "./set_condition.ts";

const drawers: Readonly<Record<string, (option: Option) => OptionView | Promise<OptionView>>> = {
  add: addOption,
  set: setOption,
  group: groupOption,
  columns: columnsOption,
  display: displayOption,
};

/** `GET <list>/list/options?show=add`, as a page and for the frame that it is opened in. @throws HttpError 403, 404, 422 */
export async function listOptions(controller: ResourceRequest): Promise<Reply> {
  await controller.authorizeAction("index");
  const { params } = controller;
  const show = params.string("show") ?? (params.has("move") ? "columns" : "add");
  const draw = Object.hasOwn(drawers, show) ? drawers[show] : undefined;
  if (!draw) throw notFound();
  const names = controller.listOf("Index");
  const list = requestedList(controller, names);
  const urls = new ListUrls(controller, list);
  const choices = new ListChoices(controller, names);
  const view = await draw({ controller, list, urls, choices, t: (key, vars) => controller.t(key, vars) });
  if (!("title" in view)) return view;
  const { title, status = 200 } = view;
  const isFramed = controller.request.frame !== undefined; // by the layout
  const content = isFramed ? view.content : html`<turbo-frame id="${FRAME}">${view.content}</turbo-frame>`;
  return controller.render("list_options", {
    status,
    locals: { ...chrome(controller, { title, trail: [{ label: title }] }), content },
  });
}

/** The fields that a list is filtered by, and groups. @throws HttpError 404 where there is none */
function addOption({ controller, urls, choices, t }: Option): OptionView {
  if (!choices.hasFields) throw notFound();
  const place = placeOf(controller.params.get("place"));
  const items = choices.fields().map(({ name, label }) => {
    const url = optionUrl(urls, "set", { place, field: name });
    return html`<li><a href="${safeUrl(url)}">${label}</a></li>`;
  });
  const find = html`<input type="search" class="form-control" data-find autocomplete="off" autofocus aria-label="${t("filters.find_field")}" placeholder="${t("filters.find_field")}">`;
  const groups = mayNest(place) && addGroups(urls, place, t);
  return {
    title: t("filters.add"),
    content: html`<div class="fw-pick">${find}<ul class="fw-pick-fields">${items}</ul>${groups}</div>`,
  };
}

const kinds: readonly Match[] = ["any", "all", "none"];
function addGroups(urls: ListUrls, place: Place, t: Option["t"]): SafeHtml {
  const links = kinds.map((match) => {
    const inside = `${place === "" ? "" : `${place}.`}${match}.new`;
    return html`<li><a href="${safeUrl(optionUrl(urls, "add", { place: inside }))}">${t(`filters.match.${match}`)}</a></li>`;
  });
  return html`<section aria-labelledby="fw-pick-groups"><h2 id="fw-pick-groups">${t("filters.group")}</h2><ul>${links}</ul></section>`;
}

/** Which conditions of a group a row has to meet; the group at the top can't be removed. @throws HttpError 404 */
function groupOption({ controller, list, urls, t }: Option): OptionView {
  const place = placeOf(controller.params.get("place"));
  const group = groupAt(list, place);
  if (!group) throw notFound();
  const links = kinds.map((match) => {
    const url = urls.conditions(changeAt(list, place, (one) => ({ ...one, match })));
    const current = match === group.match && html` aria-current="true"`;
    return html`<li><a href="${safeUrl(url)}" data-turbo-frame="_top"${current}>${t(`filters.match.${match}`)}</a></li>`;
  });
  const left = urls.conditions(changeAt(list, place, (one) => ({ ...one, filters: new Map(), groups: [] })));
  const text = t(place === "" ? "filters.clear_all" : "filters.remove_group");
  const remove = html`<ul><li><a href="${safeUrl(left)}" data-turbo-frame="_top">${text}</a></li></ul>`;
  return { title: t("filters.match_title"), content: html`<div class="fw-pick"><ul>${links}</ul>${remove}</div>` };
}
