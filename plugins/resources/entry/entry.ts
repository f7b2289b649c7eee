import type { Reply, SafeHtml, TimeZone } from "framewright/host";
import type { BaseModel, Counted, StoredRow } from "framewright/plugins/database";
import type { Attribute } from "../definition/attributes.ts";
import type { Policy } from "../definition/policy.ts";

/** The names of a list and what they refer to, as JSON has them; one for each list of a resource. */
export interface JsonPlan {
  readonly names: readonly string[];
  readonly attributes: readonly Attribute[];
}

/**
 * A record as pages and operations see it. It was read as a plain row (`RowEntry`) or as an instance of its model
 * (`RecordEntry`); both answer alike.
 */
export interface Entry {
  readonly id: unknown;
  /** The model instance, with what was read of its associations. Of a row it is created on first access. */
  readonly record: BaseModel;
  /** The instance, if it exists already. */
  readonly loadedRecord: BaseModel | undefined;
  /** The instance for templates. Of a row it is created when a template reads it. */
  readonly lazyRecord: BaseModel;
  /** The row as the driver returned it; undefined for an instance. */
  readonly row: StoredRow | undefined;
  /** The value of a column, as the instance would have it. */
  column(name: string): unknown;
  /** What an attribute is; of an association the instances, which `related` does without. */
  value(attribute: Attribute): unknown;
  jsonValue(attribute: Attribute): unknown;
  /** Its id and these attributes. */
  json(plan: JsonPlan): Record<string, unknown>;
  /** What people call it; named as the method of models, so that displays show both. */
  toLabel(): string;
  /** What a belongsTo or has-one leads to; null for nothing, undefined where it was not read, or is many. */
  related(name: string): Entry | null | undefined;
  /** Whether what an attribute leads to is not for this person to see; its value is null then. */
  isHidden(attribute: Attribute): boolean;
  /** A value of an attribute with records in it, by the labels that the person may read. */
  labelled(value: unknown): unknown;
  /** Its address, below the parent of a nested route. */
  url(): string;
  /** Its address, where it has a page in this portal and the policy allows to show it. */
  link(): string | undefined;
  policy(): Policy;
  /** What is shown in the place of a value that failed; the error is logged. @throws the cause where it is an answer */
  failed(error: Error, cause: unknown): SafeHtml;
  /** The time zone of the person who reads it. */
  timeZone(): TimeZone;
  /** For the stale check: see version.ts. */
  version(): string;
  /** Makes it the record that the request is about. @throws HttpError 403 when the policy denies the action */
  authorize(action: string): Promise<void> | undefined;
  /** The names that its page shows. */
  shownNames(): readonly string[];
  /** The JSON reply of its page. */
  reply(): Reply;
}

/** The rows of a page, and how many there are in all. */
export interface Page extends Counted {
  entries: readonly Entry[];
  /** Of a page after a cursor: whether more rows follow. */
  hasMore?: boolean;
}

/** Entries as JSON: of each its id, and what the policy permits reading. */
export const entriesJson = (entries: readonly Entry[], plan: JsonPlan): Record<string, unknown>[] =>
  entries.map((entry) => entry.json(plan));

export const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null));
