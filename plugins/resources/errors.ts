import { errorTable } from "framewright/kernel";

const meant = (suggestion: string | undefined) => (suggestion ? ` Did you mean "${suggestion}"?` : "");

export const errors = errorTable({
  FW_RESOURCE_MODEL: (given: string) =>
    `registerResource takes a model's class, got ${given}. Import the model, as in: registerResource(Post).`,
  FW_RESOURCE_TAKEN: (constant: string, owner: string) =>
    `${constant} is registered twice in ${owner}. Remove one of the two lines.`,
  FW_RESOURCE_OPTION: (constant: string, option: string, suggestion: string | undefined) =>
    `registerResource(${constant}) has no option "${option}".${meant(suggestion)} It takes associations and singular.`,
  FW_RESOURCE_UNREGISTERED: (constant: string, owner: string, known: string) =>
    `${constant} has no URL in ${owner}: it is not registered there. Connect it with: fw generate fw:res:conn ${constant} --dest=${known}.`,
  FW_RESOURCE_ACTION_URL: (action: string, constant: string) =>
    `${constant} has no named route for the action "${action}". Draw it in registerResource's block with as: "${action}".`,
  FW_ASSOCIATION_UNROUTABLE: (constant: string, name: string, why: string, suggestion: string | undefined) =>
    `registerResource(${constant}) names the association "${name}", which ${why}.${meant(suggestion)}`,
  FW_ASSOCIATIONS_UNDECLARED: (constant: string, names: readonly string[]) =>
    `registerResource(${constant}) must say associations: nestedAssociationRoutes is "declared". Routable are: ${names.join(", ") || "none"}; [] draws none.`,
  FW_ATTRIBUTE_UNKNOWN: (policy: string, name: string, constant: string, suggestion: string | undefined) =>
    `${policy} permits "${name}", which ${constant} does not have.${meant(suggestion)} Columns, associations and money are attributes.`,
  FW_POLICY_SHAPE: (policy: string, method: string, got: string) =>
    `${policy}.${method}() must return a list of attribute names, got ${got}.`,
  FW_POLICY_PREDICATE: (policy: string, method: string, action: string) =>
    `the action "${action}" asks ${policy}.${method}(), which is not defined. Add it; return true where the action is allowed.`,
  FW_DEFINITION_SUPER: (definition: string) =>
    `${definition}.configure() does not reach the definitions above it. Call super.configure() first.`,
  FW_DEFINITION_NAME: (definition: string, word: string, name: string, suggestion: string | undefined) =>
    `${definition} says ${word}("${name}"), and the model has no such name.${meant(suggestion)}`,
  FW_DEFINITION_TYPE: (definition: string, name: string, as: string, suggestion: string | undefined) =>
    `${definition} shows "${name}" as "${as}", which is no known type.${meant(suggestion)}`,
  FW_ACTION_OPTION: (definition: string, action: string, option: string, suggestion: string | undefined) =>
    `${definition} gives the action "${action}" the unknown option "${option}".${meant(suggestion)}`,
  FW_ACTION_TARGET: (definition: string, action: string) =>
    `the action "${action}" of ${definition} leads nowhere. Give it an interaction, a url or a route.`,
  FW_SCOPE_WIDENS: (where: string, what: string) =>
    `${where} uses ${what} inside a narrowing block, where it can't take effect. Reach related tables by whereExists(Model.relatedQuery(…)).`,
  FW_SCOPE_RETURN: (where: string) =>
    `${where} must narrow the query that it was handed and return it, or nothing; it returned something else.`,
  FW_SORT_WIDENS: (where: string, what: string) =>
    `${where} says ${what}; a sort may say orderBy and orderByRaw, and nothing else. Narrow in a scope or a filter instead.`,
  FW_SINGULAR_SEVERAL: (constant: string) =>
    `${constant} is registered as singular, and several records are in reach. Override singularRecord() in its controller.`,
});
