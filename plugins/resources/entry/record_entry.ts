import { failedPart, type Reply, type SafeHtml, type TimeZone } from "framewright/host";
import { type BaseModel, isLargeInteger, ModelInfo } from "framewright/plugins/database";
import type { Attribute } from "../definition/attributes.ts";
import type { Policy } from "../definition/policy.ts";
import type { ResourceRequest } from "../request.ts";
import { type Entry, type JsonPlan, plain } from "./entry.ts";
import { handledValue } from "./handled_values.ts";
import { labelledValue, labelOf } from "./labels.ts";
import { Place } from "./place.ts";
import type { RecordMethods } from "./read_mode.ts";
import { versionOf } from "./version.ts";

/** A model instance. For the record of a page it calls the controller's own methods, which may be overridden. */
export class RecordEntry implements Entry {
  readonly record: BaseModel;
  readonly #place: Place;

  constructor(record: BaseModel, place: Place) {
    this.record = record;
    this.#place = place;
  }

  get id(): unknown {
    return ModelInfo.keyOf(this.record);
  }
  get loadedRecord(): BaseModel {
    return this.record;
  }
  get lazyRecord(): BaseModel {
    return this.record;
  }
  get row(): undefined {
    return undefined;
  }

  column(name: string): unknown {
    return (this.record as unknown as Record<string, unknown>)[name];
  }
  value({ name, source }: Attribute): unknown {
    if (source === "handler") return handledValue(this.record, name);
    return (this.record as unknown as Record<string, unknown>)[name];
  }
  jsonValue(attribute: Attribute): unknown {
    return jsonValueOf(this.#place.controller, this.record, attribute);
  }
  json({ names }: JsonPlan): Record<string, unknown> {
    return this.#controller.recordJson(this.record, names);
  }
  toLabel(): string {
    return this.#place.label(this.record);
  }
  isHidden(attribute: Attribute): boolean {
    return this.#place.isHidden(this, attribute);
  }
  labelled(value: unknown): unknown {
    return labelledValue(this.#place.controller, value);
  }
  related(name: string): RecordEntry | null | undefined {
    const value = (this.record as unknown as Record<string, BaseModel | BaseModel[] | null | undefined>)[name];
    if (value === null || value === undefined) return value;
    if (Array.isArray(value)) return undefined;
    const target = this.#place.model.associations.get(name)?.target;
    const isPlain = target !== undefined && !target.inheritance;
    return new RecordEntry(value, this.#place.relatedTo(isPlain ? target : ModelInfo.ofRecord(value)));
  }

  url(): string {
    return this.#place.url(this);
  }
  link(): string | undefined {
    return this.#place.link(this);
  }
  policy(): Policy {
    return this.#place.policy(this);
  }
  failed(error: Error, cause: unknown): SafeHtml {
    return failedPart(this.#place.controller, error, cause);
  }
  timeZone(): TimeZone {
    return this.#place.controller.request.timeZone;
  }
  version(): string {
    return versionOf(this.record, this.#place.model);
  }

  async authorize(action: string): Promise<void> {
    this.#place.controller.record = this.record;
    await this.#controller.authorizeAction(action, this.record);
  }
  shownNames(): readonly string[] {
    return this.#controller.listOf("Show", this.record);
  }
  reply(): Reply {
    return this.#controller.answerRecord(this.record);
  }

  /** By its type, entries call no other method of controllers than those whose override read_mode.ts knows. */
  get #controller(): RecordMethods {
    return this.#place.controller;
  }
}

/** The pages of a controller's own resource, for entries that are instances. */
class RecordPage extends Place {
  override policy({ record }: Entry): Policy {
    return (this.controller as RecordMethods).policyFor(record);
  }
  override url({ record }: Entry): string {
    return (this.controller as RecordMethods).urlFor(record);
  }
}

/** Entries of a page of the controller's own resource. */
export function recordEntries(controller: ResourceRequest, records: readonly BaseModel[]): RecordEntry[] {
  const page = new RecordPage(controller, controller.registration.model, controller.registration);
  return records.map((record) => new RecordEntry(record, page));
}
export const recordEntry = (controller: ResourceRequest, record: BaseModel): RecordEntry =>
  recordEntries(controller, [record])[0]!;

/** An instance's id and attributes. */
export function jsonOfRecord(
  controller: ResourceRequest,
  record: BaseModel,
  { attributes }: JsonPlan,
): Record<string, unknown> {
  const data: Record<string, unknown> = { id: ModelInfo.keyOf(record) };
  for (const attribute of attributes) data[attribute.name] = jsonValueOf(controller, record, attribute);
  return data;
}

/** What an attribute of an instance is as JSON: an association as its id and label, a polymorphic one with its type. */
function jsonValueOf(controller: ResourceRequest, record: BaseModel, attribute: Attribute): unknown {
  if (attribute.source === "handler")
    return (attribute.types.input.json ?? plain)(handledValue(record, attribute.name));
  const value = (record as unknown as Record<string, unknown>)[attribute.name];
  if (attribute.column && typeof value === "number" && isLargeInteger(attribute.column)) return String(value);
  if (attribute.source !== "association") {
    const isHidden = attribute.isKey && recordEntry(controller, record).isHidden(attribute);
    return isHidden ? null : (attribute.types.input.json ?? plain)(value);
  }
  const reference = (related: BaseModel) => ({ id: ModelInfo.keyOf(related), label: labelOf(controller, related) });
  if (Array.isArray(value)) return (value as BaseModel[]).map(reference);
  if (!value) return null;
  const related = reference(value as BaseModel);
  const type =
    attribute.polymorphic && (record as unknown as Record<string, unknown>)[attribute.polymorphic.typeColumn];
  return type === undefined ? related : { type, ...related };
}
