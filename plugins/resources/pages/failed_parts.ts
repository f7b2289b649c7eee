import { type BaseController, html, type SafeHtml } from "framewright/host";
import type { ResourceRequest } from "../request.ts";
import type { ListHead } from "./list_parts.ts";
import { addFailedPanel } from "./plugin_panels.ts";

const failed = (controller: BaseController): SafeHtml =>
  html`<span class="fw-part-failed" role="status">${controller.t("framework.part_failed")}</span>`;
const nothing = (): void => undefined;

/** The hooks whose taps fail alone, and what is drawn in the place of what one would have added. */
export const isolatedParts = {
  panels: addFailedPanel,
  listHead: ({ controller, besideTabs }: ListHead): void => void besideTabs.push(failed(controller)),
  listRows: nothing,
  table: nothing,
  listShapes: nothing,
  filterPanel: (parts: SafeHtml[], _location: string, controller: ResourceRequest): void =>
    void parts.push(failed(controller)),
};
