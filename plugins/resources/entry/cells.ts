import type { BaseController } from "framewright/host";
import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import { type Display, type DisplayOptions, displays } from "../components/index.ts";
import type { Attribute } from "../definition/attributes.ts";
import { hrefOf } from "../registration/urls.ts";
import { Entry } from "./entry.ts";
import { attributeValue, isStored, labelOf } from "./json.ts";

/** How an attribute of an entry is shown: HTML that is safe. */
export type Cell<C extends BaseController = BaseController> = (entry: Entry, controller: C) => string;
/** Where a related entry lives, when the reader may see it. */
export type UrlOf<C extends BaseController> = (related: Entry, controller: C) => string | undefined;

/** Displays whose values are few: what each looks like is kept. */
const fewValued = new Set<Display | undefined>([displays.select, displays.radio, displays.enum, displays.boolean]);
const MOST_KEPT = 100;
const LONGEST_KEPT = 1000;

/** Compiles how an attribute is shown, for lists (with `truncate`) or for the record's page; rows and records look the same. */
export function cellOf<C extends BaseController>(
  attribute: Attribute,
  model: ModelInfo,
  options: DisplayOptions,
  urlOf: UrlOf<C>,
): Cell<C> {
  const field = options.truncate === undefined ? attribute.display : attribute.listed;
  const show = displays[field.as] ?? displays.text;
  if (!show) return () => "";
  const { tones, currency } = field;
  const all = { ...options, ...(tones ? { tones } : {}), ...(currency ? { currency } : {}) };
  if (attribute.association) return relatedCell(attribute, show, all, urlOf);
  const value = attributeValue(attribute, model);
  if (fewValued.has(show)) return keptCell(value, show, all);
  if (show === displays.datetime && isStored(attribute, model)) return timeCell(attribute.name, value, show, all);
  return (entry) => show(value(entry), all).html;
}

function keptCell(value: (entry: Entry) => unknown, show: Display, options: DisplayOptions): Cell {
  const kept = new Map<unknown, string>();
  return (entry) => {
    const given = value(entry);
    let shown = kept.get(given);
    if (shown === undefined) {
      shown = show(given, options).html;
      if (kept.size < MOST_KEPT && typeof given !== "object" && shown.length < LONGEST_KEPT) kept.set(given, shown);
    }
    return shown;
  };
}

/** An instant is shown from the text that is stored: both are read alike. */
function timeCell(name: string, value: (entry: Entry) => unknown, show: Display, options: DisplayOptions): Cell {
  return (entry) => {
    const stored = entry.row?.[name];
    const isText = typeof stored === "string" && stored.length > 10; // shorter ones are days, or nothing of ours
    return show(isText ? stored : value(entry), options).html;
  };
}

/** Stands for a related row where a display asks for its label. */
class Labelled {
  readonly label: string;
  constructor(label: string) {
    this.label = label;
  }
  toLabel(): string {
    return this.label;
  }
}

function relatedCell<C extends BaseController>(
  { name, association }: Attribute,
  show: Display,
  options: DisplayOptions,
  urlOf: UrlOf<C>,
): Cell<C> {
  const { kind, target } = association!;
  const byLabel = show === displays.association;
  return (entry, controller) => {
    const related = entry.related(name);
    if (related === null) return show(null, options).html;
    if (related === undefined || !byLabel) return shownRecord(entry, controller);
    const label = show(new Labelled(labelOf(target, related)), options).html;
    const url = urlOf(related, controller);
    return url === undefined ? label : `<a href="${hrefOf(url)}">${label}</a>`; // as the display draws it with an address
  };
  function shownRecord({ record }: Entry, controller: C): string {
    const value = (record as unknown as Record<string, BaseModel | null | undefined>)[name];
    const all = value && kind !== "hasMany" ? { ...options, url: urlOf(new Entry(value), controller) } : options;
    return show(value, all).html;
  }
}
