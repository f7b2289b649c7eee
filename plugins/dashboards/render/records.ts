import { type BaseController, html, localeOf, raw, type SafeHtml, safeUrl } from "framewright/host";
import type { BaseModel, ModelClass } from "framewright/plugins/database";
import { displays, displayWords } from "framewright/plugins/fields";
import {
  allows,
  commonLabel,
  fieldLabel,
  labelledValue,
  labelOf,
  type Policy,
  type Registration,
  valueLabels,
} from "framewright/plugins/resources";
import type { ListOptions, TableOptions } from "../cards/card.ts";
import type { CardRequest } from "../cards/load.ts";
import { emptyCard } from "./failed.ts";

/** Longer texts are cut in tables. */
const TRUNCATE = 60;
/** How many attributes a table shows that names none. */
const DEFAULT_COLUMNS = 4;

type Shown = Record<string, unknown>;

/** The first records by their labels, each a link where the person may see it. */
export function list(
  request: CardRequest,
  { text, time, empty }: ListOptions<BaseModel, never>,
  records: readonly BaseModel[],
): SafeHtml {
  const { controller } = request;
  if (records.length === 0) return emptyCard(empty ?? controller.t("dashboards.nothing"));
  const words = displayWords((key) => controller.t(key), localeOf(controller.request.locale));
  const { timeZone } = controller.request;
  const lines = records.map((record) => {
    const at = time === undefined ? undefined : (record as unknown as Shown)[time];
    const shown =
      at === undefined || at === null ? "" : displays[isDay(at) ? "date" : "datetime"]!(at, { words, timeZone });
    const second = text?.(record);
    const dot = second !== undefined && shown !== "" ? " · " : "";
    const below = second === undefined && shown === "" ? "" : html`<p>${second ?? ""}${dot}${shown}</p>`;
    return html`<li><div>${linkTo(controller, record)}${below}</div></li>`;
  });
  return html`<ul class="fw-rows">${lines}</ul>`;
}

const isDay = (value: unknown): boolean => typeof value === "string" && value.length === 10;

/** The label of a record; a link to it where the portal has it and its policy lets the person see it. */
function linkTo(controller: BaseController, record: BaseModel): SafeHtml {
  const url = urlOf(controller, record);
  const label = labelOf(controller, record);
  return url === undefined
    ? html`<span>${label}</span>`
    : html`<a class="fw-row-link" href="${safeUrl(url)}">${label}</a>`;
}

/** The address of a record that the person may see. */
export function urlOf(controller: BaseController, record: BaseModel): string | undefined {
  const resources = controller.request.kernel.service("resources");
  const registration = registrationOf(controller, record.constructor as ModelClass);
  if (!registration) return undefined;
  const policy = resources.policy(controller as never, registration.policyClass, record);
  return allows(policy, "show") ? controller.resourceUrlFor(record) : undefined;
}

function registrationOf({ request }: BaseController, cls: ModelClass): Registration | undefined {
  const { constant } = request.kernel.service("database").model(cls);
  return request.kernel.service("resources").registry.of(request.engine?.name).get(constant);
}

interface Column {
  readonly name: string;
  readonly label: string;
  readonly numeric: boolean;
  show(record: BaseModel): SafeHtml;
}

/** The first records with some of their attributes; the first column leads to the record. */
export function table(
  { controller, card }: CardRequest,
  { columns, empty }: TableOptions<BaseModel, never>,
  records: readonly BaseModel[],
): SafeHtml {
  const [first] = records;
  if (!first) return emptyCard(empty ?? controller.t("dashboards.nothing"));
  const shown = columnsOf(controller, first.constructor as ModelClass, columns as readonly string[] | undefined);
  const side = ({ numeric }: Column) => raw(numeric ? ' class="fw-numeric"' : "");
  const head = shown.map((column) => html`<th scope="col"${side(column)}>${column.label}</th>`);
  const rows = records.map((record) => {
    const url = urlOf(controller, record);
    const cells = shown.map((column, at) => {
      const content = column.show(record);
      const isLink = at === 0 && url !== undefined && !content.html.includes("<a ");
      const cell = isLink ? html`<a class="fw-row-link" href="${safeUrl(url)}">${content}</a>` : content;
      return html`<td data-label="${column.label}"${side(column)}>${cell}</td>`;
    });
    return html`<tr>${cells}</tr>`;
  });
  return html`<div class="fw-table-wrap"><table class="table fw-table"><caption class="visually-hidden">${card.label}</caption><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** The names that a table shows: those that the resource's policy permits, in its order; of other models as they are. */
export function columnNames(
  controller: BaseController,
  cls: ModelClass,
  asked: readonly string[] | undefined,
): readonly string[] {
  const registration = registrationOf(controller, cls);
  if (!registration) return asked ?? plainNames(controller, cls);
  const resources = controller.request.kernel.service("resources");
  const policy: Policy = resources.policy(controller as never, registration.policyClass, undefined);
  const listed = registration.permitted(policy, "Index");
  const permitted = [...listed, ...registration.permitted(policy, "Show")];
  return asked?.filter((name) => permitted.includes(name)) ?? listed.slice(0, DEFAULT_COLUMNS);
}

function columnsOf(controller: BaseController, cls: ModelClass, asked: readonly string[] | undefined): Column[] {
  const registration = registrationOf(controller, cls);
  return columnNames(controller, cls, asked).map((name) =>
    registration ? resourceColumn(controller, registration, name) : plainColumn(controller, name),
  );
}

const plainNames = (controller: BaseController, cls: ModelClass): readonly string[] =>
  [...controller.request.kernel.service("database").model(cls).columns.keys()].slice(1, 1 + DEFAULT_COLUMNS);

function plainColumn(controller: BaseController, name: string): Column {
  const words = displayWords((key) => controller.t(key), localeOf(controller.request.locale));
  const { timeZone } = controller.request;
  const show = (record: BaseModel) => {
    const value = (record as unknown as Shown)[name];
    return displays[value instanceof Date ? "datetime" : "string"]!(value, { words, timeZone, truncate: TRUNCATE });
  };
  return { name, label: commonLabel(controller, name), numeric: false, show };
}

function resourceColumn(controller: BaseController, registration: Registration, name: string): Column {
  const attribute = registration.attribute(name);
  const { listed, association, types } = attribute;
  const { tones, currency, unit } = listed;
  const labels = valueLabels(controller, registration, name);
  const words = displayWords((key) => controller.t(key), localeOf(controller.request.locale));
  const { timeZone } = controller.request;
  const options = {
    words,
    timeZone,
    truncate: TRUNCATE,
    ...(tones ? { tones } : {}),
    ...(currency ? { currency } : {}),
    ...(unit ? { unit } : {}),
    ...(labels ? { labels } : {}),
  };
  const show = (record: BaseModel) => {
    const value = (record as unknown as Shown)[name];
    const url =
      association && value instanceof Object && !Array.isArray(value)
        ? urlOf(controller, value as BaseModel)
        : undefined;
    return types.listed.cell(labelledValue(controller, value), { ...options, url });
  };
  return {
    name,
    label: fieldLabel(controller, registration, attribute, "listed"),
    numeric: types.listed.numeric,
    show,
  };
}
