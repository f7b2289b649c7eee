import { csrfInput, escapeHtml, localeOf, type Reply, raw, type SafeHtml } from "framewright/host";
import { emptyState } from "framewright/plugins/fields";
import { framed } from "framewright/plugins/fields/toolkit";
import type { ResourceController } from "framewright/plugins/resources";
import {
  chrome,
  type Entry,
  type ListColumn,
  listColumns,
  listLabel,
  loadHandled,
  readRecords,
  requestedList,
} from "framewright/plugins/resources/toolkit";
import { timeTag } from "framewright/plugins/views";
import { DELETED_AT, type Deleted } from "./columns.ts";
import { deleterNames } from "./deleter.ts";
import { mayPurge, mayRestore } from "./offers.ts";

const PER_PAGE = 50;
const MAX_PAGE = 200;

/** A page of what is in the trash. */
export interface TrashPage {
  readonly names: readonly string[];
  readonly columns: readonly ListColumn[];
  /** Those that the person may restore or purge. */
  readonly entries: readonly Entry[];
  readonly page: number;
  readonly hasMore: boolean;
  /** The names of those who deleted them, by what is stored. */
  readonly people: ReadonlyMap<string, string>;
}

export const trashUrl = (controller: ResourceController): string => `${controller.listUrl}/trash`;

/** The records in the trash, the last deleted first. */
export async function readTrash(controller: ResourceController): Promise<TrashPage> {
  const { model } = controller.registration;
  const names = controller.listOf("Index");
  const list = requestedList(controller, names);
  const page = Math.min(list.page, MAX_PAGE);
  const query = controller.visibleRecords().onlyDeleted().orderBy(`${model.table}.${DELETED_AT}`, "desc");
  for (const name of model.key.names) query.orderBy(name, "desc");
  const found = await readRecords(
    controller,
    query.limit(PER_PAGE + 1).offset((page - 1) * PER_PAGE),
    controller.loadedFor(names),
  );
  const shown = found.slice(0, PER_PAGE);
  const entries = shown.filter((entry) => mayRestore(entry.policy()) || mayPurge(entry.policy()));
  await loadHandled(controller, entries, names);
  const people = await deleterNames(
    controller,
    entries.map((entry) => deletedOf(entry).deleted_by),
  );
  const hasMore = found.length > PER_PAGE && page < MAX_PAGE;
  return { names, columns: listColumns(controller, list), entries, page, hasMore, people };
}

const deletedOf = (entry: Entry): Deleted => entry.record as unknown as Deleted;

/** Likewise, for programs. */
export function trashJson(controller: ResourceController, { entries, names, page, hasMore, people }: TrashPage): Reply {
  const data = entries.map((entry) => {
    const { deleted_at, deleted_by } = deletedOf(entry);
    const by = deleted_by === null ? null : (people.get(deleted_by) ?? null);
    return {
      ...controller.recordJson(entry.record, names),
      deleted_at: deleted_at?.toISOString() ?? null,
      deleted_by: by,
    };
  });
  return controller.json({ data, meta: { page, per_page: PER_PAGE, has_more: hasMore } });
}

/** The page; `problems`: sentences on what was not done. */
export function renderTrash(controller: ResourceController, shown: TrashPage, problems: readonly string[] = []): Reply {
  const url = trashUrl(controller);
  const many = listLabel(controller, controller.about);
  const title = controller.t("resource.trash.of", { name: many });
  const step = (page: number) => `${url}?page=${page}`;
  const empty = () => emptyState({ title: controller.t("resource.trash.empty"), text: "", icon: "trash" });
  return controller.render("trash", {
    status: problems.length > 0 ? 422 : 200,
    locals: {
      ...chrome(controller, { title, trail: [{ label: controller.t("resource.trash.title") }] }),
      url,
      problems,
      csrf: csrfInput(controller.request, url, "post"),
      table: shown.entries.length > 0 ? tableOf(controller, shown, title) : empty(),
      has_rows: shown.entries.length > 0,
      may_restore: shown.entries.some((entry) => mayRestore(entry.policy())),
      may_purge: shown.entries.some((entry) => mayPurge(entry.policy())),
      previous_url: shown.page > 1 ? step(shown.page - 1) : undefined,
      next_url: shown.hasMore ? step(shown.page + 1) : undefined,
    },
  });
}

const FORM = "trash";

function tableOf(controller: ResourceController, { columns, entries, people }: TrashPage, caption: string): SafeHtml {
  const t = (key: string) => controller.t(key);
  const cell = (label: string, content: string, isNumeric = false) =>
    `<td data-label="${escapeHtml(label)}"${isNumeric ? ' class="fw-numeric"' : ""}>${content}</td>`;
  const [at, by] = [t("resource.trash.deleted_at"), t("resource.trash.deleted_by")];
  const labels = [...columns.map(({ label }) => label), at, by];
  const headers = `<th class="fw-select"></th>${labels.map((label) => `<th scope="col">${escapeHtml(label)}</th>`).join("")}`;
  const { timeZone, locale } = controller.request;
  const rows = entries.map((entry) => {
    const { deleted_at, deleted_by } = deletedOf(entry);
    const id = escapeHtml(String(entry.id));
    const label = escapeHtml(entry.toLabel());
    const chosen = `<td class="fw-select"><label><input class="form-check-input" type="checkbox" name="ids[]" value="${id}" form="${FORM}" aria-label="${label}"></label></td>`;
    const own = columns.map((column) => cell(column.label, column.cell(entry), column.numeric === true));
    const who = deleted_by === null ? "" : escapeHtml(people.get(deleted_by) ?? "");
    const button = (operation: string, look: string) =>
      `<button class="btn btn-sm${look}" form="${FORM}" name="only" value="${operation} ${id}">${escapeHtml(t(`resource.trash.${operation}`))}<span class="visually-hidden"> ${label}</span></button>`;
    const policy = entry.policy();
    const actions = `${mayRestore(policy) ? button("restore", "") : ""}${mayPurge(policy) ? button("purge", " btn-outline-danger") : ""}`;
    const times = cell(at, timeTag(deleted_at, timeZone, localeOf(locale)).html) + cell(by, who);
    return `<tr>${chosen}${own.join("")}${times}<td class="fw-row-actions" data-full><div>${actions}</div></td></tr>`;
  });
  return raw(
    framed({
      sheet: "",
      caption,
      headers,
      body: rows.join(""),
      hasActions: true,
      foot: undefined,
      isCompact: false,
      t,
    }),
  );
}
