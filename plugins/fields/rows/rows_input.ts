import { type BaseController, type FieldErrors, html, localeOf, type Params, type SafeHtml } from "framewright/host";
import type { Problem } from "framewright/plugins/database";
import { dynamicParts } from "../components/dynamic.ts";
import type { FieldView } from "../components/types.ts";
import type { FieldSource } from "../source.ts";
import { checkTree } from "./check_tree.ts";
import { drawNode, slotsOf, viewsOf } from "./draw.ts";
import { drawChoices, type SearchUrl } from "./draw_choices.ts";
import { addEditors } from "./editors.ts";
import type { Node, TextOf } from "./node_types.ts";
import { nodesOf } from "./nodes.ts";
import { readTree } from "./read_tree.ts";
import { applyRowButtons } from "./row_buttons.ts";
import type { FieldScope, FieldSpec } from "./spec.ts";
import { readableField } from "./values.ts";

/** Rows or a group that are one input of a form, as they were sent. */
export interface RowsSent {
  readonly spec: FieldSpec;
  /** As they would be stored. */
  readonly stored: unknown;
  /** As code reads them. */
  readonly value: unknown;
  /** What could not be read, by path. */
  readonly errors: FieldErrors;
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
  return { ...errorTexts(source.lookups!.controller, found), ...unread };
}

/** The problems of fields, by path, in the person's language. */
export const errorTexts = ({ request }: BaseController, found: Readonly<Record<string, Problem[]>>): FieldErrors =>
  Object.fromEntries(
    Object.entries(found)
      .filter(([, list]) => list.length > 0)
      .map(([path, list]) => [path, list.map(({ key, message, vars }) => request.tOr(key, message, vars))]),
  );

/** What rows or a group are drawn with. */
export interface RowsDrawing {
  readonly typed: Params | undefined;
  readonly errors: FieldErrors;
  readonly source: FieldSource;
  readonly label: string;
  readonly textOf: TextOf;
  readonly searchUrl: SearchUrl;
  /** The name of the form's values, as in `interaction[visits]`. */
  readonly key: string;
}

/** Rows or a group in a form, as an input of it. */
export async function rowsInputView(
  controller: BaseController,
  spec: FieldSpec,
  { typed, errors, source, label, textOf, searchUrl, key }: RowsDrawing,
): Promise<FieldView> {
  const { name } = spec;
  const sent = typed?.has(name) ? { [name]: typed.get(name)! } : undefined;
  const { timeZone, locale } = controller.request;
  const nodes = nodesOf({
    key,
    fields: [{ ...spec, options: { ...spec.options, label } }],
    typed: sent && (applyRowButtons([spec], sent, controller.params) ?? sent),
    errors,
    scope: scopeOf(source),
    timeZone,
    locale: localeOf(locale),
    textOf,
  });
  const place = { id: `${key}_${name}`, inputName: `${key}[${name}]` };
  for (const node of nodes) if (node.kind === "rows") Object.assign(node, node.texts?.(controller.t.bind(controller)));
  await prepareNodes(controller, nodes, { source, searchUrl });
  return {
    name,
    as: spec.type,
    type: source.typeOf("hidden"), // what is drawn has a frame of its own
    label,
    ...place,
    value: undefined,
    required: false,
    errors: errors[name] ?? [],
    ...drawnInput(controller, nodes, place.inputName),
  };
}

/** Gives nodes their editors, and the choices that have to be looked up. */
export async function prepareNodes(
  controller: BaseController,
  nodes: readonly Node[],
  { source, searchUrl }: Pick<RowsDrawing, "source" | "searchUrl">,
): Promise<void> {
  addEditors(controller, nodes);
  await drawChoices(nodes, source, searchUrl);
}

/** The nodes of an input as its content, which `more` is in as well, and its parts. */
export function drawnInput(
  controller: BaseController,
  nodes: readonly Node[],
  inputName: string,
  more?: SafeHtml,
): Required<Pick<FieldView, "content" | "parts">> {
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const content = html`${nodes.map((node) => drawNode(node, t))}${more}${dynamicParts(slotsOf(nodes), inputName, t)}`;
  return { content, parts: viewsOf(nodes, t).slice(1) };
}
