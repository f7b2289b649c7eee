import { html, notFound, type Reply, type SafeHtml } from "framewright/host";
import { callHook, messageOf } from "framewright/kernel";
import { iconOrNothing } from "framewright/plugins/views";
import { allows } from "../definition/policy.ts";
import type { Entry } from "../entry/entry.ts";
import { errors } from "../errors.ts";
import type { ResourceRequest } from "../request.ts";
import { PanelList, type PanelOptions, type PanelPage } from "./added_panels.ts";
import { chrome } from "./chrome.ts";

/** A panel in the place of those that a plugin could not add. */
export function addFailedPanel(panels: PanelList, { controller }: PanelPage): void {
  const title = controller.t("resource.panel.failed");
  panels.add(panels.freeKey("failed"), { title, content: () => failedPanel(controller) });
}

/** What is shown before and after the page's own panels. */
export interface PlacedPanels<P> {
  first: P[];
  last: P[];
}

/** Those of a page that no plugin adds to. */
export const noPanels: PlacedPanels<never> = { first: [], last: [] };
export const arePanelsAdded = ({ resources }: ResourceRequest): boolean => resources.hooks.panels.taps.length > 0;

type Keyed = readonly [key: string, panel: PanelOptions];

/** Collects the panels of plugins, and draws those that the policy permits. */
export async function pluginPanels<P>(
  controller: ResourceRequest,
  entry: Entry,
  draw: (key: string, title: string, content: SafeHtml) => P,
): Promise<PlacedPanels<P>> {
  const placed: PlacedPanels<P> = { first: [], last: [] };
  for (const [key, panel] of await permittedPanels(controller, entry)) {
    const shown = panel.lazy
      ? lazyFrame(controller, entry, key, panel)
      : (await loadPanel(controller, key, panel)).shown;
    if (shown) placed[panel.position ?? "last"].push(draw(key, panel.title, shown));
  }
  return placed;
}

/**
 * A lazy panel alone: in its frame, or as a page. Access is checked as for the page of the record, and the predicate of the
 * panel again.
 * @throws HttpError 404 for a panel that there is not, or that the person may not see
 */
export async function answerPanel(controller: ResourceRequest, entry: Entry, key: string): Promise<Reply> {
  if (controller.request.format === "json" || !allows(entry.policy(), "show")) throw notFound();
  await entry.authorize("show");
  const panel = (await permittedPanels(controller, entry)).find(([name, { lazy }]) => lazy && name === key)?.[1];
  if (!panel) throw notFound();
  const { status, shown } = await loadPanel(controller, key, panel, panelUrl(entry, key));
  const trail = [{ label: entry.toLabel(), url: entry.url() }, { label: panel.title }];
  const content = shown ?? html`<p class="fw-card-empty">${controller.t("resource.panel.nothing")}</p>`;
  return controller.render("panel", {
    status,
    locals: { ...chrome(controller, { title: panel.title, trail }), content },
  });
}

/** None of their content is loaded yet. */
async function permittedPanels(controller: ResourceRequest, entry: Entry): Promise<readonly Keyed[]> {
  if (!arePanelsAdded(controller)) return [];
  const { registration } = controller;
  const list = new PanelList(registration.constant, controller.request.kernel);
  const adding = callHook(controller.resources.hooks.panels, list, { registration, controller, record: entry.record });
  if (adding) await adding;
  const policy = entry.policy();
  return [...list.entries()].filter(([, panel]) => panel.policy === undefined || allows(policy, panel.policy));
}

interface LoadedPanel {
  status: 200 | 500;
  shown: SafeHtml | undefined;
}

/** The content of a panel. One that throws shows an error, and the reason is logged: the page around it is drawn. */
async function loadPanel(
  controller: ResourceRequest,
  key: string,
  { content }: PanelOptions,
  again?: string,
): Promise<LoadedPanel> {
  try {
    return { status: 200, shown: await content() };
  } catch (err) {
    const { registration, request } = controller;
    const { message } = errors.FW_PANEL_FAILED(registration.constant, key, messageOf(err));
    request.application.log.error({ err, panel: key, request: request.id }, message);
    return { status: 500, shown: failedPanel(controller, again) };
  }
}

function failedPanel(controller: ResourceRequest, again?: string): SafeHtml {
  const t = (key: string) => controller.t(`resource.panel.${key}`);
  const link = again !== undefined && html` <a href="${again}" data-turbo-frame="_self">${t("again")}</a>`;
  return html`<div class="fw-card-failed" role="status">${iconOrNothing("alert-triangle")}<p>${t("failed")}${link}</p></div>`;
}

const panelUrl = (entry: Entry, key: string): string => `${entry.url()}/panels/${encodeURIComponent(key)}`;

/** The frame that loads a panel once it is in sight; without JavaScript a link leads to its page. */
function lazyFrame(controller: ResourceRequest, entry: Entry, key: string, { title }: PanelOptions): SafeHtml {
  const url = panelUrl(entry, key);
  const open = controller.t("resource.panel.open", { panel: title });
  return html`<turbo-frame id="panel-${key}-frame" src="${url}" loading="lazy" target="_top"><div class="fw-skeleton" aria-hidden="true"><span></span><span></span><span></span></div><p class="visually-hidden">${controller.t("framework.loading")}</p><noscript><p><a href="${url}">${open}</a></p></noscript></turbo-frame>`;
}
