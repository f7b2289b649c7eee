import { html, humanize, raw, type SafeHtml } from "framewright/host";
import { type ScopeView, scopes } from "framewright/plugins/fields";
import type { ScopeOptions } from "../definition/definition_options.ts";
import { listContextOf } from "../operations/list_context.ts";
import { applyScope } from "../registration/apply_list.ts";
import { ALL, type ListRequest, scopesOf } from "../registration/list_params.ts";
import { numberText, ownText } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import type { ListHead } from "./list_parts.ts";
import type { ListUrls } from "./list_urls.ts";

/** Beyond this a tab shows "1,000+". */
const MAX_COUNTED = 1000;

/** The scopes of a list as tabs, and the tabs that plugins add. */
export async function scopeTabs(head: ListHead): Promise<SafeHtml> {
  const { controller, list, urls, tabs: added } = head;
  const offered = scopesOf(controller.registration, listContextOf(controller));
  const isExtended = added.length > 0 || head.besideTabs.length > 0;
  if (offered.size === 0 && !isExtended) return raw("");
  const own = await ownTabs(controller, list, urls, offered);
  const label = controller.t("resource.scopes");
  if (!isExtended) return scopes(own, label);
  const isOther = added.some(({ active }) => active);
  const { allUrl } = head;
  const others = own.map((one) => ({
    ...one,
    active: one.active && !isOther,
    ...(one.key === ALL && allUrl !== undefined ? { url: allUrl } : {}),
  }));
  const tabs = own.length > 1 || added.length > 0 ? scopes([...others, ...added], label) : raw("");
  return html`<div class="fw-views">${tabs}${head.besideTabs}</div>`;
}

async function ownTabs(
  controller: ResourceRequest,
  list: ListRequest,
  urls: ListUrls,
  offered: ReadonlyMap<string, ScopeOptions>,
): Promise<ScopeView[]> {
  const { initialScope, hasAllTab } = controller.registration.definition;
  const url = (scope: string | undefined) => urls.scope(scope === initialScope ? undefined : (scope ?? ALL));
  const isAll = list.scope === undefined;
  const all = { key: ALL, label: controller.t("resource.all"), active: isAll, url: url(undefined) };
  const tabs: ScopeView[] = hasAllTab || isAll ? [all] : [];
  for (const [key, { label: own, count }] of offered) {
    const label = scopeLabel(controller, key, own);
    const tab = { key, label, active: list.scope === key, url: url(key) };
    tabs.push(count ? { ...tab, count: await countOf(controller, key) } : tab);
  }
  return tabs;
}

/** How many records that the person may see a scope has, whatever else the list is narrowed by. */
async function countOf(controller: ResourceRequest, scope: string): Promise<string> {
  const { database } = controller.resources;
  const query = controller.visibleRecords(database.replicaFor(controller.request));
  applyScope(query, scope, controller.registration, listContextOf(controller));
  const { total, capped } = await database.countUpTo(query, MAX_COUNTED);
  return numberText(controller, total) + (capped ? "+" : "");
}

function scopeLabel(controller: ResourceRequest, key: string, own: string | undefined): string {
  const { registration } = controller;
  return registration.onceWithTexts(controller, `scope ${key}`, () =>
    ownText(controller, registration, `scopes.${key}`, own ?? humanize(key)),
  );
}
