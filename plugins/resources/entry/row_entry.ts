import { failedPart, forbidden, type Reply, type SafeHtml, type TimeZone } from "framewright/host";
import { callHook } from "framewright/kernel";
import {
  BaseModel,
  fromCents,
  type KeyValue,
  labelColumns,
  type ModelInfo,
  oncePerColumns,
  RowReader,
  type RowsRead,
  type StoredRow,
} from "framewright/plugins/database";
import type { Attribute } from "../definition/attributes.ts";
import { allows, type Policy } from "../definition/policy.ts";
import { setCurrentEntry } from "./current_record.ts";
import { type Entry, type JsonPlan, plain } from "./entry.ts";
import { handledValue } from "./handled_values.ts";
import { noteVisible } from "./hidden_references.ts";
import { isLabelOpen, labelledValue } from "./labels.ts";
import type { Place } from "./place.ts";
import { etagOf } from "./version.ts";

/** What the rows of one read share. */
class RowSource {
  readonly place: Place;
  readonly reader: RowReader;
  #labelOf: ((entry: RowEntry) => string) | undefined;
  readonly related: ReadonlyMap<string, readonly (RowEntry | null)[]>;

  constructor(place: Place, related: RowSource["related"]) {
    this.place = place;
    this.reader = RowReader.of(place.model);
    this.related = related;
  }

  get labelOf(): (entry: RowEntry) => string {
    this.#labelOf ??= isLabelOpen(this.place.controller, this.place.model)
      ? labeller(this.place.model)
      : (entry) => this.place.label(entry.record);
    return this.#labelOf;
  }
}

/**
 * Fast path: a row as the database returned it. What is shown of it comes from the row; the model instance is created
 * for what reads `record`: a policy, a condition, a label or getter of the application's own. Controllers that
 * override a method which is given records get `RecordEntry` instead (see read_mode.ts).
 */
export class RowEntry implements Entry {
  readonly row: StoredRow;
  readonly #source: RowSource;
  readonly #index: number;
  #record: BaseModel | undefined;

  constructor(row: StoredRow, source: RowSource, index: number) {
    this.row = row;
    this.#source = source;
    this.#index = index;
  }

  get id(): unknown {
    return this.#source.reader.key(this.row);
  }
  get record(): BaseModel {
    this.#record ??= this.#createRecord();
    return this.#record;
  }
  get loadedRecord(): BaseModel | undefined {
    return this.#record;
  }
  get lazyRecord(): BaseModel {
    return new Proxy(this, lazyRecordHandler) as unknown as BaseModel;
  }

  /** A column's value as the instance would have it. */
  column(name: string): unknown {
    return this.#source.reader.value(this.row, name);
  }
  value({ source, name, cents, digits }: Attribute): unknown {
    if (source === "handler") return handledValue(this.row, name);
    if (source === "column") return this.column(name);
    if (source !== "money") return (this.record as unknown as Record<string, unknown>)[name];
    const stored = this.column(cents!);
    return stored === null || stored === undefined ? stored : fromCents(stored as number, digits);
  }
  jsonValue(attribute: Attribute): unknown {
    const { source, name, types, isKey } = attribute;
    if (source === "association") {
      const related = this.related(name);
      return related ? { id: related.id, label: related.toLabel() } : null;
    }
    if (isKey && this.isHidden(attribute)) return null;
    if (types.input.json) return types.input.json(this.value(attribute));
    return source === "column" ? (this.#source.reader.json(this.row, name) ?? null) : plain(this.value(attribute));
  }
  json({ attributes }: JsonPlan): Record<string, unknown> {
    const data: Record<string, unknown> = { id: this.id };
    for (const attribute of attributes) data[attribute.name] = this.jsonValue(attribute);
    return data;
  }
  toLabel(): string {
    return this.#source.labelOf(this);
  }
  isHidden(attribute: Attribute): boolean {
    return this.#source.place.isHidden(this, attribute);
  }
  labelled(value: unknown): unknown {
    return labelledValue(this.#source.place.controller, value);
  }
  related(name: string): RowEntry | null | undefined {
    return this.#source.related.get(name)?.[this.#index];
  }

  url(): string {
    return this.#source.place.url(this);
  }
  link(): string | undefined {
    return this.#source.place.link(this);
  }
  policy(): Policy {
    return this.#source.place.policy(this);
  }
  failed(error: Error, cause: unknown): SafeHtml {
    return failedPart(this.#source.place.controller, error, cause);
  }
  timeZone(): TimeZone {
    return this.#source.place.controller.request.timeZone;
  }
  version(): string {
    return this.#source.place.model.versionOf((name) => this.column(name));
  }

  authorize(action: string): Promise<void> | undefined {
    const { controller } = this.#source.place;
    setCurrentEntry(controller, this);
    if (!allows(this.policy(), action)) throw forbidden();
    return callHook(controller.resources.hooks.authorize, action, controller);
  }
  shownNames(): readonly string[] {
    const { controller, registration } = this.#source.place;
    const permitted = registration!.permitted(this.policy(), "Show");
    return controller.resources.fields(permitted, registration!, controller);
  }
  reply(): Reply {
    const { controller, registration } = this.#source.place;
    const reply = controller.json({ data: this.json(registration!.jsonPlan(this.shownNames())) });
    reply.headers.etag = etagOf(this.version());
    return reply;
  }

  #createRecord(): BaseModel {
    const { reader, related } = this.#source;
    const record = reader.record(this.row);
    const values = record as unknown as Record<string, unknown>;
    for (const [name, entries] of related) {
      const found = entries[this.#index]?.record ?? null;
      if (found) noteVisible(found);
      values[name] = found;
    }
    return record;
  }
}

/** The entries of rows that were read. Rows that belong to the same row share its entry, as instances would. */
export function rowEntries(place: Place, { rows, related }: RowsRead): RowEntry[] {
  const parents = new Map<string, (RowEntry | null)[]>();
  for (const [name, parentRows] of related) {
    const source = new RowSource(place.relatedTo(place.model.associations.get(name)!.target), nothing);
    const known = new Map<StoredRow, RowEntry>();
    parents.set(
      name,
      parentRows.map((row) => (row === null ? null : sharedEntry(known, row, source))),
    );
  }
  const source = new RowSource(place, parents);
  return rows.map((row, index) => new RowEntry(row, source, index));
}

const nothing: ReadonlyMap<string, readonly (RowEntry | null)[]> = new Map();

function sharedEntry(known: Map<StoredRow, RowEntry>, row: StoredRow, source: RowSource): RowEntry {
  let entry = known.get(row);
  if (!entry) {
    entry = new RowEntry(row, source, 0);
    known.set(row, entry);
  }
  return entry;
}

/** `toLabel` of a model, from its row where the model leaves the method as it is. */
const labeller = oncePerColumns((model: ModelInfo): ((entry: RowEntry) => string) => {
  const { class: cls, columns } = model;
  const isOwn =
    cls.prototype.toLabel !== BaseModel.prototype.toLabel || labelColumns.some((name) => name in cls.prototype);
  if (isOwn) return (entry) => entry.record.toLabel();
  const names = labelColumns.filter((name) => columns.has(name));
  return (entry) => {
    for (const name of names) {
      const value = entry.column(name);
      if (typeof value === "string" && value !== "") return value;
    }
    return model.numberLabel(entry.id as KeyValue | null | undefined);
  };
});

const lazyRecordHandler: ProxyHandler<RowEntry> = {
  get: ({ record }, name) => {
    const value: unknown = Reflect.get(record, name);
    return typeof value === "function" ? value.bind(record) : value;
  },
  has: ({ record }, name) => Reflect.has(record, name),
  getPrototypeOf: ({ record }) => Object.getPrototypeOf(record) as object,
  ownKeys: ({ record }) => Reflect.ownKeys(record),
  getOwnPropertyDescriptor: ({ record }, name) => Reflect.getOwnPropertyDescriptor(record, name),
};
