import { type BaseController, html, notFound, type Reply, type SafeHtml } from "framewright/host";
import type { Assets } from "framewright/plugins/assets";
import type { BaseModel } from "framewright/plugins/database";
import { labelOf, type PanelList, type PanelPage, type ResourceRequest } from "framewright/plugins/resources";
import { chrome } from "framewright/plugins/resources/toolkit";
import type { TimelineItem } from "../contract.ts";
import { mayReadHistory } from "./access.ts";
import { cursorOf, cursorText, type ItemCursor } from "./cursor.ts";
import { drawTimeline, type RevertButtons } from "./draw_entry.ts";
import type { ShownEntry } from "./shown_changes.ts";
import { type TimelineParts, timelineOf } from "./timeline.ts";

/** Items of the panel on the page of a record, and of the page of its history. */
const PANEL_ITEMS = 5;
const PAGE_ITEMS = 30;

export interface RecordPagesParts extends TimelineParts {
  readonly assets: Assets;
  /** The buttons that take a change back, as far as the person may. */
  revert(controller: ResourceRequest, shown: ShownEntry): RevertButtons;
}

/** The history of a record: a panel of its page, and a page of its own, which programs read as JSON. */
export class RecordPages {
  readonly #parts: RecordPagesParts;
  /** The addresses of what is drawn under the details of the pages that are being drawn. */
  readonly #lasts = new WeakMap<BaseController, string>();

  constructor(parts: RecordPagesParts) {
    this.#parts = parts;
  }

  /**
   * Under the details of a record whose changes `addPanel` found may be seen: who changed it last. A frame of its own, so that the
   * page reads nothing for it.
   */
  drawLast(controller: BaseController): SafeHtml | undefined {
    const url = this.#lasts.get(controller);
    if (url === undefined) return undefined;
    return html`${this.styles()}<turbo-frame id="history-last" class="fw-history-last" src="${url}/last" loading="lazy" target="_top"></turbo-frame>`;
  }

  /** The panel with the last changes, which loads on its own. */
  addPanel(panels: PanelList, { controller, record, registration }: PanelPage): void {
    if (!mayReadHistory(controller, registration, record)) return;
    this.#lasts.set(controller, historyUrl(controller, record));
    panels.add("history", {
      title: controller.t("history.title"),
      lazy: true,
      content: async () => {
        const { items, next } = await timelineOf(this.#parts, controller, record, {
          before: undefined,
          limit: PANEL_ITEMS,
        });
        if (items.length === 0) return undefined;
        const all =
          next &&
          html`<p class="fw-history-foot"><a href="${historyUrl(controller, record)}" data-turbo-frame="_top">${controller.t("history.all")}</a></p>`;
        return html`${this.styles()}${drawTimeline(controller, items)}${all}`;
      },
    });
  }

  /** `GET <record>/history`. @throws HttpError 404 for people who may not see the record or its changes */
  async show(controller: ResourceRequest): Promise<Reply> {
    const record = await readableRecord(controller);
    const before = cursorOf(controller.request.query.get("before"));
    const revert = (shown: ShownEntry) => this.#parts.revert(controller, shown);
    const { items, next } = await timelineOf(this.#parts, controller, record, { before, limit: PAGE_ITEMS, revert });
    if (controller.request.format === "json")
      return controller.json({ data: items.flatMap(jsonOf), meta: metaOf(next) });
    const title = controller.t("history.title");
    const name = labelOf(controller, record);
    const trail = [{ label: name, url: controller.urlFor(record) }, { label: title }];
    const locals = {
      ...chrome(controller, { title: controller.t("history.of", { name }), trail }),
      styles: this.styles(),
      day_url: `${historyUrl(controller, record)}/on`,
      timeline: items.length > 0 ? drawTimeline(controller, items) : undefined,
      older: next && `${controller.request.path}?before=${encodeURIComponent(cursorText(next))}`,
      newer: before && controller.request.path,
    };
    return controller.render("history/record", { locals });
  }

  styles(): SafeHtml {
    return html`<link rel="stylesheet" href="${this.#parts.assets.url("history.css")}">`;
  }
}

/** The record that the path names, whose changes the person may see. @throws HttpError 404 */
export async function readableRecord(controller: ResourceRequest): Promise<BaseModel> {
  const record = await controller.findRecord();
  controller.record = record;
  await controller.authorizeAction("show", record);
  if (!mayReadHistory(controller, controller.registration, record)) throw notFound();
  return record;
}

export const historyUrl = (controller: ResourceRequest, record: BaseModel): string =>
  `${controller.urlFor(record)}/history`;
export const metaOf = (next: ItemCursor | undefined) => ({ next: next ? cursorText(next) : null });
export const jsonOf = ({ at, key, person, json }: TimelineItem) =>
  json ? [{ at, key, person: person ?? null, ...json }] : [];
