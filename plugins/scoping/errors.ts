import { didYouMean, errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_SCOPE_MODEL: (portal: string, given: string) =>
    `scopeToEntity in ${portal} takes a model's class, got ${given}. Import the model, as in: engine.scopeToEntity(Organization).`,
  FW_SCOPE_KEY: (portal: string, entity: string, key: readonly string[]) =>
    `scopeToEntity in ${portal}: ${entity} is identified by ${key.length === 0 ? "no column" : `${key.join(", ")} together`}, and a tenant is named by one. Scope the portal to a model whose key is one column, to which its records belong.`,
  FW_SCOPE_OPTION: (portal: string, option: string, suggestion: string | undefined) =>
    `scopeToEntity in ${portal} has no option "${option}".${didYouMean(suggestion)} It takes strategy.`,
  FW_SCOPE_STRATEGY: (portal: string, got: string) =>
    `scopeToEntity in ${portal}: strategy must be "path", the name of a plugin's strategy as "subdomain", or of a method of the portal's concern, got ${got}.`,
  FW_SCOPE_STRATEGY_SHAPE: (plugin: string, name: string, problem: string) =>
    `the plugin "${plugin}" can't add the scoping strategy ${JSON.stringify(name)}: ${problem}. Add one as in: strategies.add("gateway", { find: (request, rule) => … }), with url, entry and check where needed.`,
  FW_SCOPE_STRATEGY_LATE: (name: string) =>
    `the scoping strategy "${name}" was added outside of apply(). Add it while a plugin's apply() runs; strategies are fixed after boot.`,
  FW_SCOPE_STRATEGY_TWO: (portal: string, strategy: string, controller: string) =>
    `${portal} is scoped by the strategy "${strategy}", which a plugin provides, and ${controller} has a method of that name. Rename the method, so that it is clear which of the two finds the tenant.`,
  FW_SCOPE_DOMAIN: (portal: string, given: string | undefined, domains: readonly string[]) =>
    `${portal} is scoped by subdomain, and ${given === undefined ? (domains.length > 1 ? `ALLOWED_HOSTS has several wildcards: ${domains.map((name) => `*.${name}`).join(", ")}. Choose one: scoping({ domain: "${domains[0]}" })` : "ALLOWED_HOSTS has no wildcard. Set it, as in ALLOWED_HOSTS=shop.example,*.shop.example") : `ALLOWED_HOSTS does not list *.${given}. Add it, or correct scoping({ domain })`}.`,
  FW_SCOPE_LABEL: (entity: string, label: string, domain: string) =>
    `no host name can be made for the ${entity} ${JSON.stringify(label)} below ${domain}: it is reserved, or no label of 1 to 63 lower-case letters, digits and hyphens. Give it another slug.`,
  FW_SCOPE_ORIGIN: (portal: string, strategy: string, option: string, got: string) =>
    `"${option}" of the strategy "${strategy}", by which ${portal} is scoped, answered with ${got}. Return an origin, as in "https://acme.shop.example".`,
  FW_SCOPE_URL: (portal: string, entity: string, got: string) =>
    `the address of a tenant of ${portal} needs the stored ${entity}, got ${got}. Pass the record: { entity }.`,
  FW_SCOPE_TWICE: (portal: string, first: string, second: string) =>
    `${portal} is scoped twice, to ${first} and to ${second}. Remove one of the two lines from its engine.`,
  FW_SCOPE_METHOD: (
    portal: string,
    controller: string,
    method: string,
    route: string,
    suggestion: string | undefined,
  ) =>
    `${portal} is scoped by the strategy "${method}", and ${controller}, which serves ${route}, has no such method.${didYouMean(suggestion)} Write it in the portal's concern, or say strategy: "path".`,
  FW_SCOPE_ENTITY: (by: string, entity: string, got: string) =>
    `${by} must return a stored ${entity}, or undefined where there is none; it returned ${got}.`,
  FW_SCOPE_CLOSED: (portal: string, entity: string, what: string) =>
    `${portal} is scoped to ${entity}, and ${what} without one. Only run it inside a request of the portal, after the tenant was found.`,
  FW_SCOPE_FORM: (policy: string, name: string, model: string, target: string, portal: string, entity: string) =>
    `${policy} permits "${name}" in the form of ${model}, and ${target}, whose records it offers, does not lead to ${entity}, to which ${portal} is scoped. Take "${name}" out of the list, or say in ${target} which records a tenant may choose: scopes = { associatedWith${entity.replace(/^.*::/, "")}: (query) => query }.`,
  FW_SCOPE_INSERT: (entity: string) =>
    `a query of a scoped portal can't insert a ${entity}: it would be another tenant than the one whose portal this is. Use unscopedQuery(${entity}).`,
  FW_SCOPE_PATH: (model: string, entity: string, scope: string, association: string, tenant: string) =>
    `${model} does not lead to ${entity}, to which its portal is scoped. For a query of all tenants use unscopedQuery(${model}). Else connect them in the model, by one of: associations = { ${association}: belongsTo(…) }; associations = { ${association}: hasOne({ through: "…" }) }; or scopes = { ${scope}: (query, ${tenant}) => query.where(…) }, which may add no condition for a table shared by all tenants.`,
  FW_SCOPE_AMBIGUOUS: (
    model: string,
    entity: string,
    paths: readonly string[],
    scope: string,
    association: string,
    tenant: string,
  ) => {
    const through = paths[0]!.split(".").slice(0, -1);
    const path =
      through.length === 1 ? `associations = { ${association}: hasOne({ through: "${through[0]}" }) }; or ` : "";
    return `${model} leads to ${entity} by several associations: ${paths.join(" and ")}. Choose one in the model: ${path}scopes = { ${scope}: (query, ${tenant}) => query.where(…) }.`;
  },
});
