import { type BaseController, html, localeOf, type Reply, type SafeHtml } from "framewright/host";
import type { ResourceRequest } from "framewright/plugins/resources";
import { chrome } from "framewright/plugins/resources/toolkit";
import { timeTag } from "framewright/plugins/views";
import type { HistoryStore } from "../store.ts";
import { nameOf } from "./names.ts";
import { readableRecord } from "./record_pages.ts";
import { lastEntry } from "./timeline.ts";

/** `GET <record>/history/last`. @throws HttpError 404 for people who may not see the record or its changes */
export async function showLastChange(store: HistoryStore, controller: ResourceRequest): Promise<Reply> {
  const record = await readableRecord(controller);
  const shown = await lastEntry(store, controller, record);
  const locals = {
    ...chrome(controller, { title: controller.t("history.title") }),
    text: shown && textOf(controller, shown.entry),
  };
  return controller.render("history/last", { locals });
}

function textOf(controller: BaseController, entry: Parameters<typeof nameOf>[1]): SafeHtml {
  const { request } = controller;
  const name = nameOf(controller, entry) ?? controller.t("history.nobody");
  return html`${controller.t(`history.last.${entry.kind}`, { name })} · ${timeTag(entry.at, request.timeZone, localeOf(request.locale))}`;
}
