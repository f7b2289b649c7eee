import { escapeHtml, html, raw, type SafeHtml, safeUrl } from "framewright/host";
import { rowLink } from "framewright/plugins/fields/toolkit";
import { isAllowed, type ResourceRequest } from "framewright/plugins/resources";
import { type Entry, fromList, hrefOf, numberText, type ShapePage } from "framewright/plugins/resources/toolkit";
import { iconSheet } from "framewright/plugins/views";
import { type Branch, branchOf } from "./branch.ts";
import { moveForm } from "./moves.ts";

/** The records of a tree, each with a branch that is loaded as it is opened. */
export async function drawTree(controller: ResourceRequest, view: ShapePage, shown: Branch): Promise<SafeHtml> {
  const { parent, path, below, isFlat } = shown;
  const { urls, list, page } = view;
  const key = branchOf(list);
  const t = (name: string, vars?: Record<string, unknown>) => controller.t(`resource.tree.${name}`, vars);
  const from = fromList(controller, list, urls);
  const source = { branch: shown, entries: page.entries, back: urls.same() };
  const draw = async (entry: Entry, at: number): Promise<string> => {
    const count = isFlat ? 0 : (below.get(String(entry.id)) ?? 0);
    const row = rowOf(entry, view, parent, from, await moveForm(controller, at, source));
    return `<li class="fw-tree-node" data-node="${escapeHtml(String(entry.id))}">${row}${count === 0 ? "" : branch(entry, count)}</li>`;
  };
  const branch = (entry: Entry, count: number): string => {
    const url = hrefOf(urls.shape(`tree.${String(entry.id)}`));
    const name = escapeHtml(t("below", { name: entry.toLabel(), count: numberText(controller, count) }));
    return `<details><summary aria-label="${name}" title="${name}"><span class="badge">${numberText(controller, count)}</span></summary><turbo-frame id="${frameOf(String(entry.id))}" src="${url}" loading="lazy" target="_top"><a href="${url}">${name}</a></turbo-frame></details>`;
  };
  const last = list.page * list.perPage;
  const more =
    page.total > last &&
    html`<p class="fw-tree-more"><a class="btn" href="${safeUrl(urls.page(list.page + 1, list.askedPerPage))}">${t("more")}</a></p>`;
  const rows = (await Promise.all(page.entries.map(draw))).join("");
  const nodes = html`<ul class="fw-tree-nodes" data-below="${key ?? ""}">${raw(rows)}</ul>${more}`;
  if (key === undefined) return framed(controller, nodes);
  const crumbs = path.map((entry, at) =>
    at === path.length - 1
      ? html`<li aria-current="true">${entry.toLabel()}</li>`
      : html`<li><a href="${safeUrl(urls.shape(`tree.${String(entry.id)}`))}">${entry.toLabel()}</a></li>`,
  );
  const trail = html`<nav aria-label="${t("path")}"><ol class="fw-tree-path"><li><a href="${safeUrl(urls.shape("tree"))}">${t("top")}</a></li>${crumbs}</ol></nav>`;
  const frame = html`<turbo-frame id="${frameOf(key)}" target="_top">${nodes}</turbo-frame>`;
  return controller.request.frame === undefined ? framed(controller, html`${trail}${frame}`) : frame;
}

/** The tree with what moves its records. */
function framed(controller: ResourceRequest, content: SafeHtml): SafeHtml {
  const assets = controller.request.kernel.service("assets");
  const scripts = ["tree_drag.js", "tree.js"].map((name) => html`<script src="${assets.url(name)}" defer></script>`);
  const t = (name: string) => controller.t(`resource.tree.${name}`);
  return html`${iconSheet(["dots"])}<p class="fw-tree-problem" role="alert" hidden></p><p class="visually-hidden" role="status" data-tree-status></p><div class="fw-tree" data-moved="${t("moved")}" data-failed="${t("failed")}">${content}</div>${scripts}`;
}

const frameOf = (key: string): string => `fw-tree-${escapeHtml(key)}`;

/** A record on one line: its name, and its facts. */
function rowOf(entry: Entry, { columns }: ShapePage, parent: string, from: string, form: string): string {
  const href = hrefOf(entry.url());
  const isOpen = isAllowed(entry.policy(), "canShow");
  const [first, ...facts] = columns.filter(({ name }) => name !== parent);
  const link = isOpen ? (href.includes("?") ? href : href + from) : undefined;
  const name = first ? rowLink(first.cell(entry), link, first.keepsLinks) : escapeHtml(entry.toLabel());
  const lines = facts.map(
    (column) => `<span class="fw-tree-fact" title="${escapeHtml(column.label)}">${column.cell(entry)}</span>`,
  );
  return `<div class="fw-tree-row">${name}${lines.join("")}${form}</div>`;
}
