import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import { type Attribute, isFileField, isSecret, type ResourceRequest } from "framewright/plugins/resources";
import { formFields } from "framewright/plugins/resources/toolkit";
import type { StoredEntry } from "../contract.ts";
import { readableNames } from "../reading/access.ts";
import type { Values } from "../reading/ghosts.ts";
import { isCut, revived } from "../recording/values.ts";

/** An attribute that an entry changed, and that can be taken back to what it was. */
export interface Revertable {
  readonly attribute: Attribute;
  /** By column: what it was before the entry, and what the entry changed it to. */
  readonly from: Values;
  readonly to: Values;
}

/** Module-level: found by a record that was read for a request, and freed with it: the fields that its form has. */
const written = new WeakMap<BaseModel, readonly string[]>();
function writtenNames(controller: ResourceRequest, record: BaseModel): readonly string[] {
  const names = written.get(record) ?? formFields(controller, record, undefined).names;
  written.set(record, names);
  return names;
}

/** What of an entry the person may take back, as a form would write it: neither secrets and files, nor values that were cut, nor what plugins write. */
export function revertables(controller: ResourceRequest, record: BaseModel, entry: StoredEntry): Revertable[] {
  if (entry.kind !== "updated") return [];
  const { registration } = controller;
  const { model } = registration;
  const shown = new Set(readableNames(controller, record));
  const found: Revertable[] = [];
  for (const name of writtenNames(controller, record)) {
    const columns = model.columnsOf(name).filter((column) => Object.hasOwn(entry.changes, column));
    if (columns.length === 0 || !shown.has(name)) continue;
    const attribute = registration.attribute(name);
    if (isSecret(attribute) || isFileField(attribute) || attribute.handler) continue;
    const [from, to]: [Values, Values] = [{}, {}];
    const isWhole = columns.every((column) => {
      const change = entry.changes[column]!;
      if ("secret" in change || isCut(change.from) || isCut(change.to)) return false;
      from[column] = revived(model, column, change.from);
      to[column] = revived(model, column, change.to);
      return model.columns.has(column);
    });
    const isKnown = found.some((one) => Object.keys(from).every((column) => column in one.from));
    if (isWhole && !isKnown) found.push({ attribute, from, to });
  }
  return found;
}

/** Whether a record has these values. */
export const hasValues = (model: ModelInfo, record: BaseModel, values: Values): boolean =>
  Object.keys(model.changedValues(record, values)).length === 0;
