import { html, localeOf, notFound, type Reply } from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { type DetailItem, details } from "framewright/plugins/fields";
import { fieldLabel, isFileField, isSecret, labelOf, type ResourceRequest } from "framewright/plugins/resources";
import { chrome, detailOf } from "framewright/plugins/resources/toolkit";
import { dateTag } from "framewright/plugins/views";
import type { StoredEntry } from "../contract.ts";
import { isCut, revived } from "../recording/values.ts";
import type { HistoryStore } from "../store.ts";
import { readableNames } from "./access.ts";
import { boundsOf } from "./cursor.ts";
import type { Values } from "./ghosts.ts";
import { historyUrl, readableRecord } from "./record_pages.ts";
import { isUnseen, loadReferences } from "./related.ts";
import { entriesOf } from "./timeline.ts";

/** Entries that are taken back at most to find what a record was. */
const MAX_ENTRIES = 2000;

/** A record as it was at an instant; `unknown` names columns whose values were not recorded whole. */
interface Earlier {
  readonly ghost: BaseModel;
  readonly unknown: ReadonlySet<string>;
}

/** `GET <record>/history/on?day=2026-01-31`: the record as it was at the end of a day, as far as the person may read it now. @throws HttpError 404 */
export async function showDay(store: HistoryStore, controller: ResourceRequest): Promise<Reply> {
  const record = await readableRecord(controller);
  const day = controller.request.query.get("day");
  const end = boundsOf(controller.request.timeZone, day)?.end;
  if (!end || typeof day !== "string" || controller.request.format === "json") throw notFound();
  const found = await earlierOf(store, controller, record, end);
  const name = labelOf(controller, record);
  const title = html`${controller.t("history.on", { name })} ${dateTag(day, localeOf(controller.request.locale))}`;
  const trail = [
    { label: name, url: controller.urlFor(record) },
    { label: controller.t("history.title"), url: historyUrl(controller, record) },
    { label: day },
  ];
  const locals = {
    ...chrome(controller, { title: controller.t("history.on", { name }), trail }),
    heading: title,
    reason: typeof found === "string" ? controller.t(`history.${found}`) : undefined,
    details: typeof found === "string" ? undefined : await drawn(controller, record, found),
  };
  return controller.render("history/day", { locals });
}

/** Takes back what was recorded since; or why that can't be known. */
async function earlierOf(store: HistoryStore, controller: ResourceRequest, record: BaseModel, end: Date) {
  const filter = entriesOf(controller, record);
  if (!filter) throw notFound();
  const { tenant: _, ...ofAll } = filter;
  const since = { since: end, limit: MAX_ENTRIES + 1 };
  const entries = await store.read({ ...filter, ...since });
  const all = filter.tenant === undefined ? entries : await store.read({ ...ofAll, ...since });
  if (entries.length > MAX_ENTRIES || all.length !== entries.length) return "not_known"; // it was another tenant's meanwhile
  if (entries.some(({ kind }) => kind === "created")) return "not_there";
  return restored(ModelInfo.ofRecord(record), record, entries);
}

function restored(model: ModelInfo, record: BaseModel, entries: readonly StoredEntry[]): Earlier {
  const ghost = model.class.fromJson({}) as unknown as BaseModel & Values;
  for (const name of model.columns.keys()) ghost[name] = (record as unknown as Values)[name] ?? null;
  const unknown = new Set<string>();
  for (const { changes } of entries)
    for (const [name, change] of Object.entries(changes)) {
      if ("secret" in change || isCut(change.from)) unknown.add(name);
      else if (unknown.delete(name) || model.columns.has(name)) ghost[name] = revived(model, name, change.from);
    }
  return { ghost, unknown };
}

async function drawn(controller: ResourceRequest, record: BaseModel, { ghost, unknown }: Earlier) {
  const { registration } = controller;
  const model = ModelInfo.ofRecord(ghost);
  const names = readableNames(controller, record).filter((name) =>
    model.columnsOf(name).every((column) => model.columns.has(column)),
  );
  const attributes = names
    .map((name) => registration.attribute(name))
    .filter((one) => !isSecret(one) && !isFileField(one));
  await loadReferences(
    controller,
    attributes.map((attribute) => [model, attribute, ghost] as const),
  );
  const none = html`<span class="fw-none">${controller.t("history.not_visible")}</span>`;
  const items = attributes.map((attribute): DetailItem => {
    const isKnown = !model.columnsOf(attribute.name).some((column) => unknown.has(column));
    const isShown = isKnown && !isUnseen(model, attribute, ghost);
    const value = !isShown
      ? none
      : attribute.source === "handler"
        ? html`${String(Reflect.get(ghost, attribute.name) ?? "–")}`
        : detailOf(controller, attribute, ghost);
    return {
      name: attribute.name,
      label: fieldLabel(controller, registration, attribute, "display"),
      value,
      wide: attribute.types.display.wide === true,
    };
  });
  return details({
    items,
    fieldsets: [],
    t: (key, vars) => controller.t(key, vars),
  });
}
