import type { FieldErrors } from "framewright/host";
import { type DeclaredField, problemOf, readDefault, readField } from "framewright/plugins/fields";
import { fieldSource, type ResourceRequest } from "framewright/plugins/resources";
import type { AttributeHandler } from "framewright/plugins/resources/toolkit";
import type { VirtualOptions } from "./declarations.ts";
import type { HandledForm, HandledWrite } from "./handled.ts";

/** Module-level: found by a controller, and freed with it. */
const valuesOf = new WeakMap<ResourceRequest, Record<string, unknown>>();

/** The values of the inputs without a column that a request sent for its record, once they were read. */
export const virtualValues = (controller: ResourceRequest): Readonly<Record<string, unknown>> =>
  valuesOf.get(controller) ?? {};

/** Serves an input without a column. */
export const virtualHandler = (options: VirtualOptions): AttributeHandler => ({
  plugin: "nested_records",
  isNew: true,
  load: async (entries) => entries.map(() => null),
  read: (form) => readVirtual(options, form),
});

async function readVirtual(
  options: VirtualOptions,
  { controller, attribute, record, sent }: HandledForm,
): Promise<HandledWrite | { errors: FieldErrors } | undefined> {
  const { name, types } = attribute;
  if (record && !sent.has(name)) return undefined; // a program changes something else
  const source = fieldSource(controller, record);
  const context = source.context({});
  const field: DeclaredField = options;
  const by = { type: types.input };
  const read = sent.has(name) ? readField(field, sent.get(name)!, by) : readDefault(field, context, by);
  const problems =
    "problem" in read
      ? [problemOf(read)]
      : await source.problems(field, undefined, { value: read.value, context, values: { [name]: read.value } });
  if (problems.length > 0)
    return { errors: { [name]: problems.map(({ key, message, vars }) => controller.request.tOr(key, message, vars)) } };
  const value = "value" in read ? read.value : null;
  valuesOf.set(controller, { ...valuesOf.get(controller), [name]: value });
  const { save } = options;
  if (!save) return {};
  return {
    async write(written, transaction) {
      await save({ value, record: written, controller, transaction });
      return false;
    },
  };
}
