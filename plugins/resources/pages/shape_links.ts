import { html, raw, type SafeHtml, safeUrl } from "framewright/host";
import type { Registry } from "framewright/kernel";
import { iconOrNothing } from "framewright/plugins/views";
import { type ListRequest, shapeKey } from "../registration/list_params.ts";
import type { ResourceRequest } from "../request.ts";
import type { ListShape } from "./list_parts.ts";
import type { ListUrls } from "./list_urls.ts";

/** Icons that lead to the shapes of a list, the table first. */
export function shapeLinks(
  controller: ResourceRequest,
  shapes: Registry<ListShape>,
  list: ListRequest,
  urls: ListUrls,
): SafeHtml {
  const table = { label: controller.t("resource.shapes.table"), icon: "list" };
  const links = [["", table] as const, ...shapes.entries()].map(([key, { label, icon }]) => {
    const current = raw(key === shapeKey(list) ? ' aria-current="true"' : "");
    return html`<a class="btn" href="${safeUrl(urls.shape(key))}" title="${label}" aria-label="${label}"${current}>${iconOrNothing(icon)}</a>`;
  });
  return html`<div class="fw-shapes" role="group" aria-label="${controller.t("resource.shapes.label")}">${links}</div>`;
}
