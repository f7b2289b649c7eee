import { type FieldErrors, html, localeOf, type Params } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { ModelInfo, Problem } from "framewright/plugins/database";
import {
  type DeclaredField,
  dynamicParts,
  type FieldSource,
  type FieldTypeTable,
  type FieldView,
  inputNames,
} from "framewright/plugins/fields";
import {
  addEditors,
  applyRowButtons,
  checkTree,
  declaredSpecs,
  drawChoices,
  drawNode,
  type FieldScope,
  type FieldSpec,
  fieldAt,
  hasFields,
  nodesOf,
  type RowField,
  readableField,
  readTree,
  slotsOf,
  type TextOf,
  targetOf,
  viewsOf,
} from "framewright/plugins/fields/rows";
import { errors } from "../errors.ts";
import type { ResourceRequest } from "../request.ts";

/** Rows or a group of an interaction, as they were sent. */
export interface RowsSent {
  readonly spec: FieldSpec;
  /** As they would be stored, and as `execute` reads them. */
  readonly stored: unknown;
  readonly value: unknown;
  /** What could not be read, by path. */
  readonly errors: FieldErrors;
}

/** The fields of an input of an interaction that has some. @throws FW_INTERACTION_INPUT */
export function rowsSpec(
  interaction: string,
  name: string,
  field: { as: string },
  types: FieldTypeTable,
): FieldSpec | undefined {
  if (!hasFields({ type: field.as })) return undefined;
  const refuse = (path: string, why: string, as?: string) => {
    const meant = as && suggest(as, inputNames(types));
    const type = as === undefined ? "" : `: "${as}"${meant ? ` (did you mean "${meant}"?)` : ""}`;
    const what = path === name ? "" : `the field "${path}", which `;
    return errors.FW_INTERACTION_INPUT(interaction, name, `as: "${field.as}", and ${what}${why}${type}`);
  };
  const [spec] = declaredSpecs({ [name]: field as RowField }, types, refuse);
  if (spec!.fields.length === 0) throw refuse(name, "no fields");
  return spec;
}

const scopeOf = ({ lookups, record }: FieldSource): FieldScope => ({
  record,
  currentUser: lookups?.controller.currentUser,
  currentScopedEntity: lookups?.controller.currentScopedEntity,
});

/** Reads what was sent for rows or a group. */
export function readRowsInput(spec: FieldSpec, sent: Params | undefined, source: FieldSource): RowsSent {
  const { name } = spec;
  const request = source.lookups?.controller.request;
  const given = sent?.has(name) ? { [name]: sent.get(name)! } : {};
  const read = readTree([spec], given, {
    scope: scopeOf(source),
    ...(request ? { translate: request.tOr.bind(request), keepsBlank: request.format !== "html" } : {}),
  });
  const stored = read.values[name];
  return { spec, stored, value: readableField(spec, stored), errors: read.errors };
}

/** What is wrong with rows or a group, by path. */
export async function rowsErrors(
  { spec, stored, errors: unread }: RowsSent,
  source: FieldSource,
): Promise<FieldErrors> {
  const found: Record<string, Problem[]> = {};
  await checkTree({ found, scope: scopeOf(source), source }, [spec], { [spec.name]: stored });
  const say = source.lookups!.controller.request;
  const wrong = Object.entries(found).filter(([, list]) => list.length > 0);
  const texts = wrong.map(([path, list]) => [path, list.map(({ key, message, vars }) => say.tOr(key, message, vars))]);
  return { ...Object.fromEntries(texts), ...unread };
}

interface RowsDrawing {
  readonly typed: Params | undefined;
  readonly errors: FieldErrors;
  readonly source: FieldSource;
  readonly label: string;
  readonly textOf: TextOf;
  /** Where the choices of a field are searched, by its path. */
  searchUrl(path: string): string;
}
/** Rows or a group in the form of an interaction. */
export async function rowsInputView(
  controller: ResourceRequest,
  spec: FieldSpec,
  { typed, errors: wrong, source, label, textOf, searchUrl }: RowsDrawing,
): Promise<FieldView> {
  const { name } = spec;
  const sent = typed?.has(name) ? { [name]: typed.get(name)! } : undefined;
  const { timeZone, locale } = controller.request;
  const nodes = nodesOf({
    key: "interaction",
    fields: [{ ...spec, options: { ...spec.options, label } }],
    typed: sent && (applyRowButtons([spec], sent, controller.params) ?? sent),
    errors: wrong,
    scope: scopeOf(source),
    timeZone,
    locale: localeOf(locale),
    textOf,
  });
  addEditors(controller, nodes);
  await drawChoices(nodes, source, searchUrl);
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const place = { id: `interaction_${name}`, inputName: `interaction[${name}]` };
  const content = html`${nodes.map((node) => drawNode(node, t))}${dynamicParts(slotsOf(nodes), place.inputName, t)}`;
  const parts = viewsOf(nodes, t).slice(1);
  const type = source.typeOf("hidden"); // what is drawn has a frame of its own
  return {
    name,
    as: spec.type,
    type,
    label,
    ...place,
    value: undefined,
    required: false,
    errors: wrong[name] ?? [],
    content,
    parts,
  };
}

/** The model whose records a field of rows chooses from, by its path in the form: `visits.0.owner`. */
export function rowTarget(
  attributes: Readonly<Record<string, { as: string }>>,
  path: string,
  types: FieldTypeTable,
): ModelInfo | undefined {
  const [name = "", ...rest] = path.split(".");
  const spec = Object.hasOwn(attributes, name) ? rowsSpec("an interaction", name, attributes[name]!, types) : undefined;
  const field = spec && rest.length > 0 ? fieldAt(spec.fields, rest.join(".")) : undefined;
  return field && !field.options.choices ? targetOf(field) : undefined;
}

/** Whether an error is of a part of rows: it is shown with them. */
export const isPartOf = (
  attributes: Readonly<Record<string, DeclaredField | { as: string }>>,
  path: string,
): boolean => {
  const name = path.replace(/\..*$/s, "");
  return name !== path && Object.hasOwn(attributes, name) && hasFields({ type: attributes[name]!.as });
};
