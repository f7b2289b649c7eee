import { type BaseController, forbidden, type Reply, streamReply } from "framewright/host";
import { csvLine } from "framewright/plugins/exports";
import { allows, type Registration } from "framewright/plugins/resources";
import type { HistoryCursor, HistoryPerson } from "../contract.ts";
import type { HistoryStore } from "../store.ts";
import { readableModels } from "./access.ts";
import { areNamed, plain } from "./names.ts";
import { portalEntries } from "./portal_entries.ts";
import { chosenIn, type Models } from "./portal_filters.ts";
import { recordLabel } from "./record_label.ts";
import type { ShownChange, ShownEntry } from "./shown_changes.ts";

/** Entries that are read, and written, at once. */
const BATCH_ENTRIES = 200;
const COLUMNS = ["at", "person", "account", "actor", "actor_account", "means", "source", "portal"];
const OF_CHANGES = ["change", "model", "record", "label", "field", "from", "to"];

/** Of resources those whose policy lets the person export them. */
export const exportable = (models: Models, page: BaseController): Map<string, Registration> =>
  new Map([...models].filter(([, registration]) => mayExport(page, registration)));

/** What throws without a record denies. */
function mayExport(page: BaseController, { policyClass }: Registration): boolean {
  try {
    return allows(page.request.kernel.service("resources").policy(page, policyClass, undefined), "export");
  } catch {
    return false;
  }
}

/**
 * `GET <portal>/_history.csv`: the changes that the page shows with the same filters, of the resources that the person may export:
 * a line for each field, the newest first.
 * @throws HttpError 403 for who may export none of them
 */
export async function answerExport(store: HistoryStore, page: BaseController): Promise<Reply> {
  const models = exportable(readableModels(page), page);
  if (models.size === 0) throw forbidden();
  const filename = `history-${new Date().toISOString().slice(0, 10)}.csv`;
  return page.answer(streamReply({ filename, type: "text/csv; charset=utf-8", chunks: lines(store, page, models) }));
}

async function* lines(store: HistoryStore, page: BaseController, models: Models): AsyncGenerator<string> {
  const { filter } = chosenIn(page, models);
  let before: HistoryCursor | undefined;
  let head = csvLine([...COLUMNS, ...OF_CHANGES]);
  do {
    const { shown, next } = await portalEntries(store, page, models, { ...filter, before, limit: BATCH_ENTRIES });
    yield head + shown.map((one) => linesOf(page, one)).join("");
    head = "";
    before = next;
  } while (before);
}

/** An entry without fields, as of a record that had no values, is a line of its own. */
function linesOf(page: BaseController, shown: ShownEntry): string {
  const { entry, changes } = shown;
  const isNamed = areNamed(page, entry);
  const [person, actor] = isNamed ? [entry.person, entry.actor] : [null, null];
  const who = [...namesOf(person), ...namesOf(actor)];
  const how = isNamed ? [entry.means ?? "", entry.source ?? "", entry.portal ?? ""] : ["", "", ""];
  const what = [entry.kind, entry.model, entry.record, recordLabel(page, shown).text];
  const line = (field: readonly string[]) => csvLine([entry.at.toISOString(), ...who, ...how, ...what, ...field]);
  return changes.length === 0 ? line(["", "", ""]) : changes.map((one) => line(fieldOf(one))).join("");
}

const namesOf = (person: HistoryPerson | null): [string, string] =>
  person ? [plain(person), `${person.type ?? ""}/${person.id}`] : ["", ""];
const fieldOf = ({ name, json }: ShownChange): string[] => [name, textOf(json.from), textOf(json.to)];
const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
