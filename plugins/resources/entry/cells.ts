import { type BaseController, escapeHtml, html, SafeHtml, type TimeZone } from "framewright/host";
import { messageOf } from "framewright/kernel";
import type { Display, DisplayOptions } from "framewright/plugins/fields";
import type { Attribute } from "../definition/attributes.ts";
import type { ResourceFieldOptions } from "../definition/definition_options.ts";
import { errors } from "../errors.ts";
import { hrefOf } from "../registration/urls.ts";
import type { Entry } from "./entry.ts";

/** How an attribute of an entry is shown: HTML that is safe. */
export type Cell = (entry: Entry) => string;

/** Of types with few distinct values (enums, booleans) the HTML is cached by value. */
const MAX_CACHED_VALUES = 100;
const MAX_CACHED_CHARS = 1000;

/** What a cell is drawn with; `render` for fields that have a template. */
export interface CellOptions extends DisplayOptions {
  render(template: string, locals: Record<string, unknown>): string;
  /** What the values of an attribute are called, where the catalogue names them. */
  labelsOf?(name: string): DisplayOptions["labels"];
}
/** What renders the templates of fields, which are found as those of pages are. */
export function templatesOf({ request }: BaseController): CellOptions["render"] {
  const views = request.kernel.service("views");
  const portal = request.engine?.path; // cells outlive the request, and must not keep it
  return (name, locals) => views.render({ portal, names: [name], locals });
}

/** Compiles how an attribute is shown, for lists (with `truncate`) or for the record's page. One that fails costs this cell alone. */
export function cellOf(attribute: Attribute, options: CellOptions): Cell {
  const cell = drawnCell(attribute, options);
  const { as } = options.truncate === undefined ? attribute.display : attribute.listed;
  return (entry) => {
    try {
      return cell(entry);
    } catch (cause) {
      const error = Object.assign(errors.FW_CELL_FAILED(attribute.name, as, messageOf(cause)), { cause });
      return entry.failed(error, cause).html;
    }
  };
}

function drawnCell(attribute: Attribute, options: CellOptions): Cell {
  const isPage = options.truncate === undefined;
  const field = isPage ? attribute.display : attribute.listed;
  const { format, template } = field;
  if (template !== undefined) return templateCell(attribute, template, options);
  if (format) return formattedCell(attribute, format.bind(field));
  const type = isPage ? attribute.types.display : attribute.types.listed;
  const show = isPage ? type.display : type.cell;
  const { tones, currency, unit } = field;
  const labels = options.labelsOf?.(attribute.name);
  const all = {
    ...options,
    ...(tones ? { tones } : {}),
    ...(currency ? { currency } : {}),
    ...(unit ? { unit } : {}),
    ...(labels ? { labels } : {}),
    ...(attribute.association?.target.columns.has("account_status") ? { people: true } : {}),
  };
  if (attribute.source === "association") return relatedCell(attribute, show, all, type.byLabel);
  if (attribute.isKey) return keyCell(attribute, (entry) => show(entry.value(attribute), all).html, all);
  if (type.isCached) return cachedCell(attribute, show, all);
  const zoned = zonedOptions(all);
  if (type.readsStored && attribute.source === "column") return storedCell(attribute, show, zoned);
  return (entry) => show(entry.value(attribute), zoned(entry)).html;
}

type ZonedOptions = (entry: Entry) => DisplayOptions;
/** The options in the zone of the reader of an entry, built once for each zone: cells outlive the request. */
function zonedOptions(options: DisplayOptions): ZonedOptions {
  const known = new Map<TimeZone, DisplayOptions>();
  return (entry) => {
    const timeZone = entry.timeZone();
    const zoned = known.get(timeZone) ?? { ...options, timeZone };
    known.set(timeZone, zoned);
    return zoned;
  };
}

function templateCell(attribute: Attribute, template: string, { render, words }: CellOptions): Cell {
  return (entry) =>
    render(template, {
      value: entry.value(attribute),
      record: entry.record,
      request: { time_zone: entry.timeZone(), locale: words.locale.name },
    });
}

/** As the definition formats it: a text is escaped. */
function formattedCell(attribute: Attribute, format: NonNullable<ResourceFieldOptions["format"]>): Cell {
  return (entry) => {
    const shown = format(entry.value(attribute), entry.record);
    return shown instanceof SafeHtml ? shown.html : escapeHtml(String(shown));
  };
}

/** What is shown in place of a record that the person may not see. */
const notVisible = ({ words }: DisplayOptions): string => html`<span class="fw-none">${words.notVisible}</span>`.html;

/** A column that is the key of a record, which is not shown where the record is hidden. */
const keyCell =
  (attribute: Attribute, cell: Cell, options: DisplayOptions): Cell =>
  (entry) =>
    entry.isHidden(attribute) ? notVisible(options) : cell(entry);

function cachedCell(attribute: Attribute, show: Display, options: DisplayOptions): Cell {
  const cached = new Map<unknown, string>();
  return (entry) => {
    const value = entry.value(attribute);
    let shown = cached.get(value);
    if (shown === undefined) {
      shown = show(value, options).html;
      if (cached.size < MAX_CACHED_VALUES && typeof value !== "object" && shown.length < MAX_CACHED_CHARS)
        cached.set(value, shown);
    }
    return shown;
  };
}

/** Fast path: an instant is shown from the text that is stored, without a Date; both are shown alike. */
function storedCell(attribute: Attribute, show: Display, options: ZonedOptions): Cell {
  return (entry) => {
    const stored = entry.row?.[attribute.name];
    const isText = typeof stored === "string" && stored.length > 10; // shorter ones are days, or nothing of ours
    return show(isText ? stored : entry.value(attribute), options(entry)).html;
  };
}

/** What people call a related record, and a link to it where they may see it. */
function relatedCell(attribute: Attribute, show: Display, options: DisplayOptions, isByLabel: boolean): Cell {
  return (entry) => {
    const related = entry.related(attribute.name);
    if (related === null && entry.isHidden(attribute)) return notVisible(options);
    if (!related) return show(related === null ? null : entry.labelled(entry.value(attribute)), options).html;
    if (!isByLabel) return show(related.record, { ...options, url: related.link() }).html;
    const label = show(related, options).html;
    const url = related.link();
    return url === undefined ? label : `<a href="${hrefOf(url)}">${label}</a>`; // as the display draws it with an address
  };
}
