import { notFound, type Reply } from "framewright/host";
import { type FieldSpec, fieldAt, targetOf } from "framewright/plugins/fields/rows";
import { allows, answerSearch, type ResourceDefinition, type ResourceRequest } from "framewright/plugins/resources";

/** The path below a list at which the choices of a row's field are searched. */
const PATH = "row_choices";
export const searchPath = (base: string): string => `${base}/${PATH}/:row_field`;
/** Where those of a field are, by its path in the form: `lines.0.owner`. */
export const choicesUrl = ({ listUrl }: ResourceRequest, path: string): string =>
  `${listUrl}/${PATH}/${path
    .split(".")
    .filter((part) => !/^\d+$/.test(part))
    .join("-")}`;

const specIn = (definition: ResourceDefinition, name: string): FieldSpec | undefined =>
  (definition.handlers.get(name) as { spec?: FieldSpec } | undefined)?.spec;

/** Whether a row of a json column refers to records. */
export const hasSearched = (definition: ResourceDefinition): boolean =>
  [...definition.handlers.keys()].some((name) => refers(specIn(definition, name)));
const refers = (spec: FieldSpec | undefined): boolean =>
  spec !== undefined && (targetOf(spec) !== undefined || spec.fields.some(refers));

/** `GET …/row_choices/lines-owner?q=`: the choices of a field that the person may fill in. @throws HttpError 404 otherwise */
export function answerRowChoices(controller: ResourceRequest): Promise<Reply> {
  const [name = "", ...path] = (controller.request.routeParams.row_field ?? "").split("-");
  const policy = controller.policyFor();
  const lists = (["Create", "Update"] as const).filter((list) =>
    allows(policy, list === "Create" ? "create" : "update"),
  );
  const spec = lists.some((list) => controller.listOf(list).includes(name))
    ? specIn(controller.registration.definition, name)
    : undefined;
  const field = spec && fieldAt(spec.fields, path.join("."));
  const target = field && !field.options.choices && targetOf(field);
  if (!target) throw notFound();
  return answerSearch(controller, target);
}
