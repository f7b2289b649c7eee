import { didYouMean, errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_RESOURCE_MODEL: (given: string) =>
    `registerResource takes a model's class, got ${given}. Import the model, as in: registerResource(Post).`,
  FW_RESOURCE_TAKEN: (constant: string, owner: string) =>
    `${constant} is registered twice in ${owner}. Remove one of the two lines.`,
  FW_RESOURCE_ROUTE: (route: string, controller: string) =>
    `${route} leads to "${controller}", the controller of a resource, which answers no other routes than registerResource() draws. Let it lead to a controller of your own, which may redirect to the list, or draw it on the resource: registerResource(Post, {}, (posts) => posts.collection((all) => all.get("titles"))).`,
  FW_RESOURCE_OPTION: (constant: string, option: string, suggestion: string | undefined) =>
    `registerResource(${constant}) has no option "${option}".${didYouMean(suggestion)} It takes associations, singular, as and label.`,
  FW_RESOURCE_OPTION_SHAPE: (constant: string, option: string, expected: string, got: string) =>
    `registerResource(${constant}) takes as ${option} ${expected}, got ${got}.`,
  FW_ACTION_PREDICATE: (definition: string, key: string, policy: string, predicate: string) =>
    `${definition} has the action "${key}", and ${policy} has no ${predicate}(), so that nobody can run it. Add ${predicate}() to the policy, or name another predicate: { policy: "update" }.`,
  FW_ACTION_KEY: (definition: string, key: string, predicate: string) =>
    `${definition} has an action "${key}": every policy has ${predicate}(), which permits something else, so that whoever may do the one could do the other. Choose another key.`,
  FW_ROUTE_KEY: (constant: string, key: string, predicate: string) =>
    `the routes of ${constant} have a custom one "${key}": every policy has ${predicate}(), which permits something else. Give it another name: { as: "…" }.`,
  FW_SECTION_OPTION: (definition: string, key: string, got: string) =>
    `${definition}: this.section("${key}") needs a function that returns its content, got ${got}: this.section("${key}", { content: ({ record }) => html\`…\` }).`,
  FW_FIELDSET_TWICE: (definition: string, field: string, first: string, second: string) =>
    `${definition} has "${field}" in two groups, this.fieldset("${first}", …) and this.fieldset("${second}", …): a field stands on a page once. Take it out of one of them.`,
  FW_FIELDSET_COLUMNS: (definition: string, call: string, columns: unknown) =>
    `${definition} gives this.${call} columns: ${String(columns)}. Write a number from 1 to 4.`,
  FW_RESOURCE_KEY: (constant: string, table: string, why: string) =>
    `${constant} can't be served as a resource: its key in ${table} ${why}, and addresses, forms and JSON name its records by it. Name a column of numbers, UUIDs or strings, static idColumn = "…" in ${constant}, or several: ["…", "…"]. For addresses by another one declare static paramKey.`,
  FW_RESOURCE_UNREGISTERED: (constant: string, owner: string, portal: string | undefined) =>
    `${constant} has no URL in ${owner}: it is not registered there. ${portal === undefined ? `Add routes.registerResource(${constant.split("::").at(-1)}) to config/routes.ts, or name the portal that serves it: { portal: "AdminPortal" }` : `Connect it with: fw generate fw:res:conn ${constant} --dest=${portal}`}.`,
  FW_RESOURCE_PARENT: (parent: string, child: string, known: readonly string[]) =>
    `${parent} has no nested routes of ${child} by that name here. ${known.length > 0 ? `There are: ${known.join(", ")}` : `Give ${parent} a has-many or has-one association to it, and register both`}.`,
  FW_RESOURCE_AMBIGUOUS: (parent: string, child: string, known: readonly string[]) =>
    `several associations of ${parent} lead to ${child}: ${known.join(", ")}. Say which: resourceUrlFor(…, { parent, association: "${known[0]}" }).`,
  FW_RESOURCE_ACTION_URL: (action: string, constant: string, suggestion: string | undefined) =>
    `${constant} has no address for the action "${action}" here.${didYouMean(suggestion)} Declare it in the definition, or draw it in registerResource's block with as: "${action}".`,
  FW_RESOURCE_ACTION_SUBJECT: (action: string, constant: string, ofClass: boolean) =>
    `"${action}" is an action of ${ofClass ? "the list" : "one record"} of ${constant}. Pass ${ofClass ? `the class: resourceUrlFor(${constant.split("::").at(-1)}, { action: "${action}" })` : `a record: resourceUrlFor(record, { action: "${action}" })`}.`,
  FW_RESOURCE_TENANT: (portal: string) =>
    `the tenants of ${portal} have hosts, so that its addresses need the tenant's record. Pass it: { portal: "${portal}", entity: organization }.`,
  FW_RESOURCE_ORIGIN: () =>
    "resources.urlFor() has no request to take the origin from. Set APP_URL to the application's address, as in https://shop.example.",
  FW_RESOURCE_URL_NOTHING: (got: string) =>
    `the address of a record was requested, and there is none: got ${got}. In a template write {% if post.author %} around it.`,
  FW_RESOURCE_SUBJECT: (name: string) =>
    `resourceUrlFor("${name}") names an association, and needs its record: resourceUrlFor("${name}", { parent: record }).`,
  FW_ASSOCIATION_UNROUTABLE: (constant: string, name: string, why: string, suggestion: string | undefined) =>
    `registerResource(${constant}) names the association "${name}", which ${why}.${didYouMean(suggestion)}`,
  FW_ASSOCIATIONS_UNDECLARED: (constant: string, names: readonly string[]) =>
    `registerResource(${constant}) must name its associations: nestedAssociationRoutes is "declared". Routable are: ${names.join(", ") || "none"}; [] draws none.`,
  FW_ATTRIBUTE_UNKNOWN: (policy: string, name: string, constant: string, suggestion: string | undefined) =>
    `${policy} permits "${name}", which ${constant} does not have.${didYouMean(suggestion)} Columns, associations and money are attributes.`,
  FW_ATTRIBUTE_READONLY: (policy: string, list: string, name: string, why: string) =>
    `${policy}.permittedAttributesFor${list}() lists "${name}", which ${why} and can't be written by a form. Leave it out there; permittedAttributesForRead() may list it.`,
  FW_ATTRIBUTE_HANDLED_TWICE: (definition: string, name: string, one: string, other: string) =>
    `${definition}: both the plugins "${one}" and "${other}" serve "${name}". Declare it for one of them.`,
  FW_ATTRIBUTE_HALF: (policy: string, list: string, name: string, association: string) =>
    `${policy}.permittedAttributesFor${list}() lists "${name}", a column of the polymorphic association "${association}", by which any record could be named. List "${association}".`,
  FW_POLYMORPHIC_CHOICES: (definition: string, name: string) =>
    `${definition} gives choices for "${name}", which is polymorphic and chosen from the records of its models. Leave the choices out; the policies of those models narrow them.`,
  FW_POLICY_ASYNC: (policy: string, method: string) =>
    `${policy}.${method}() is asynchronous, and a promise allows nothing. Answer true or false at once; load what it needs before, as in the controller.`,
  FW_POLICY_UNPREPARED: (policy: string) =>
    `${policy} has a static prepare(), which ran for no request of its portal here, so that nothing is decided. Ask the policy in a controller of the portal in which its resource is registered.`,
  FW_POLICY_SHAPE: (policy: string, method: string, got: string) =>
    `${policy}.${method}() must return a list of attribute names, got ${got}.`,
  FW_DEFINITION_SUPER: (definition: string) =>
    `${definition}.configure() does not reach the definitions above it. Call super.configure() first.`,
  FW_DEFINITION_NAME: (definition: string, word: string, name: string, suggestion: string | undefined) =>
    `${definition} calls ${word}("${name}"), and the model has no such name.${didYouMean(suggestion)}`,
  FW_DEFINITION_OPTION: (definition: string, call: string, option: string, suggestion: string | undefined) =>
    `${definition} gives ${call} the unknown option "${option}".${didYouMean(suggestion)} Remove it, or write an option that there is.`,
  FW_RESOURCE_URL_OPTION: (option: string, known: readonly string[], suggestion: string | undefined) =>
    `an address of a resource is asked for with the unknown option "${option}".${didYouMean(suggestion)} There are: ${known.join(", ")}.`,
  FW_DEFINITION_ADDED_TWICE: (definition: string, part: string, plugin: string, other: string, map: string) =>
    `the plugin "${plugin}" adds ${part} to ${definition}, and ${other} declares it otherwise. Give one of them another name: in an application the part of the definition, or what the plugin adds it for, as a transition of states(). A plugin of your own adds it only where it is missing: if (!definition.${map}.has(…)).`,
  FW_CONDITION_FAILED: (plugin: string, part: string, message: string) =>
    `the condition of ${part}, which the plugin "${plugin}" adds, failed: ${message}`,
  FW_DEFINITION_TYPE: (definition: string, name: string, as: string, hint: string, types: readonly string[]) =>
    `${definition} shows "${name}" as "${as}", which is no known type.${hint} There are: ${types.join(", ")}.`,
  FW_COLUMN_TOTAL: (definition: string, name: string, total: string) =>
    `${definition} has this.column("${name}", { total: "${total}" }), which can't be computed. "sum", "average", "min" and "max" are of columns of numbers and amounts of money, "count" of any column of the table, and none of what is encrypted.`,
  FW_FIELD_UNIT: (definition: string, name: string, unit: string) =>
    `${definition} gives "${name}" the unit "${unit}", which belongs to numbers. Take unit away, declare the field as a number (as: "decimal"), or, of an amount of money, set currency: "EUR".`,
  FW_REORDER_COLUMN: (definition: string, name: string, table: string) =>
    `${definition} has this.reorder("${name}"), which needs a table with a key of one column, and a column of whole numbers that is never null and has no sort of its own. Add one in a migration: await db.addColumns("${table}", (t) => { t.integer("${name}").notNull().default(0); }).`,
  FW_COLUMN_EDIT: (definition: string, name: string, why: string) =>
    `${definition} has this.column("${name}", { edit: true }), ${why}. Take edit away; the record's form has its field.`,
  FW_FILE_FIELD: (definition: string, name: string, why: string) =>
    `${definition} asks for "${name}" by a file, and ${why}. A file is kept by the plugin storage(), and a json column says where.`,
  FW_PLUGIN_RESOURCE: (constant: string, problem: string) =>
    `the resource ${constant} of a plugin can't be served: ${problem}. Define it with defineResource({ constant, model, policy }), add it with services.resources.addResource(…) in the plugin's apply, and list the plugin.`,
  FW_LIST_FOOT_TAKEN: (constant: string, first: string, second: string) =>
    `"${first}" and "${second}" both set the row below the list of ${constant}. Leave one of the two out of plugins.config.ts, or let "${second}" set it where there is none: rows.foot ??= { … }.`,
  FW_PANEL_TAKEN: (constant: string, key: string, first: string, second: string) =>
    `"${first}" and "${second}" both add the panel "${key}" to the page of ${constant}. Give one of them another key: panels.add("${key}_2", { … }).`,
  FW_SECTION_FAILED: (constant: string, key: string, message: string) =>
    `the section "${key}" on the page of ${constant} failed: ${message}. Fix the function "content" of its section.`,
  FW_CELL_FAILED: (field: string, as: string, message: string) =>
    `the field "${field}", shown as "${as}", failed: ${message}. Fix its format, template or display.`,
  FW_PANEL_FAILED: (constant: string, key: string, message: string) =>
    `the panel "${key}" on the page of ${constant} failed: ${message}`,
  FW_DEFINITION_TEMPLATE: (definition: string, name: string, template: string) =>
    `${definition} shows "${name}" by the template "${template}", and there is none. Write it below app/views, in the application or in the portal's package: app/views/${template}.liquid.`,
  FW_FILTER_COLUMN: (definition: string, name: string, kind: string) =>
    `${definition} filters by "${name}" (${kind}), which no column can be compared with. Say how: this.filter("${name}", { apply: (query, value) => … }).`,
  FW_FILTER_LABELS: (definition: string, name: string, hasChoices: boolean) =>
    `${definition} filters by "${name}" with labels, ${hasChoices ? "and with choices, which have labels of their own. Leave one of the two out" : 'which are those of a boolean\'s two values. Say choices: [{ value: "a", label: "A" }]'}.`,
  FW_ENCRYPTED_FILTER: (definition: string, name: string, constant: string) =>
    `${definition} filters by "${name}", which ${constant} encrypts. It can be compared for equality alone, where the model declares encrypts: { ${name}: { searchable: true } }; then write this.filter("${name}") without "as".`,
  FW_ENCRYPTED_SORT: (definition: string, name: string, constant: string) =>
    `${definition} sorts by "${name}", which ${constant} encrypts: the database can't order what it can't read. Sort by another column.`,
  FW_ENCRYPTED_SEARCH: (definition: string, name: string, constant: string) =>
    `${definition}.search looks in "${name}", which ${constant} encrypts: the database can't compare a part of what it can't read. Leave it out; whereEncrypted(query, "${name}", term) finds equal values of an attribute that is searchable.`,
  FW_SORT_NAME: (definition: string, name: string, suggestion: string | undefined) =>
    `${definition} sorts by "${name}", which is no column that a list can be ordered by.${didYouMean(suggestion)} Of an association to one record say by which of its columns: this.sort("author", { by: "name" }); else say how: this.sort("${name}", { using: (query, direction) => … }).`,
  FW_ACTION_OPTION: (definition: string, action: string, option: string, suggestion: string | undefined) =>
    `${definition} gives the action "${action}" the unknown option "${option}".${didYouMean(suggestion)}`,
  FW_ACTION_VALUE: (definition: string, action: string, option: string, what: string) =>
    `${definition} gives the action "${action}" a wrong ${option}: expected ${what}.`,
  FW_ACTION_TARGET: (definition: string, action: string) =>
    `the action "${action}" of ${definition} leads nowhere. Give it an interaction, a url or a route.`,
  FW_ACTION_ROUTE: (definition: string, action: string, path: string, route: string, portal: string) =>
    `${definition} gives the action "${action}" the path "${path}", and no route of ${portal} answers ${route}. Draw it in registerResource's block, or correct the path or the method.`,
  FW_ACTION_PATH: (definition: string, action: string, path: string) =>
    `${definition} gives the action "${action}" the path "${path}". A path stands below the record's or the list's address: write it without a scheme and a leading slash, as in "report".`,
  FW_ACTION_URL: (definition: string, action: string, what: string) =>
    `${definition} gives the action "${action}" ${what}.`,
  FW_ACTION_OPEN: (definition: string, action: string, what: string) =>
    `${definition} gives the action "${action}" ${what}.`,
  FW_ACTION_KEYLESS: (definition: string, action: string, table: string) =>
    `${definition} has the action "${action}" for several rows of "${table}", which nothing tells apart: its model has static idColumn = []. Give the action resourceAction: true and an interaction without inBackground, which is done once.`,
  FW_ACTION_BULK: (definition: string, action: string, what: string) =>
    `${definition} gives the action "${action}" bulk: true, and ${what}.`,
  FW_CONFIRMS_MODE: (interaction: string, controller: string) =>
    `${interaction} has static confirms = true, and ${controller} does not know by authlib who is signed in. Give its portal Authlib("<account>"), or take confirms away.`,
  FW_CONFIRMS_UNKNOWN: (controller: string, name: string, actions: readonly string[]) =>
    `${controller} lists "${name}" in static confirms, and has no action of that name. Name a method, or one of its actions: ${actions.join(", ")}.`,
  FW_INTERACTION_OUTCOME: (interaction: string) =>
    `${interaction}.execute() must return what succeed() or fail() gives, and returned something else. End it with: return succeed(record).`,
  FW_INTERACTION_DOWNLOAD: (interaction: string) =>
    `${interaction}.execute() answers with a file, and its form waits for a page. Add to the class: static override download = true.`,
  FW_INTERACTION_REDIRECT: (interaction: string, location: string) =>
    `${interaction}.execute() leads to "${location}", which is no page of this application; nothing was written. Give withRedirect() a path that begins with one slash.`,
  FW_INTERACTION_INPUT: (interaction: string, name: string, what: string) =>
    `${interaction} asks for "${name}" with ${what}.`,
  FW_BACKGROUND_JOBS: (interaction: string) =>
    `${interaction} has static inBackground = true, and no plugin fills the slot "background_runs", which runs it. Run: fw generate fw:background:install`,
  FW_RESOURCE_PLUGIN: (definition: string, declared: string, line: string, module: string) =>
    `${definition} has ${declared}, and no plugin acts on it. Add ${line} to plugins.config.ts, imported from "${module}"; or take it out of the definition.`,
  FW_RESOURCES_OPTION_MOVED: (option: string, line: string, module: string) =>
    `resources() has no option "${option}": what it configured is a plugin of its own. Add ${line} to plugins.config.ts, imported from "${module}", and remove the option; fw upgrade does both.`,
  FW_LABEL_ASSOCIATION: (constant: string, name: string, known: readonly string[]) =>
    `${constant} has labelAssociations: "${name}", which is no association of it. There are: ${known.join(", ") || "none"}.`,
  FW_SCOPE_WIDENS: (where: string, what: string) =>
    `${where} uses ${what} inside a narrowing block, where it can't take effect. Reach related tables by whereExists(Model.relatedQuery(…)).`,
  FW_SCOPE_UNREADABLE: () =>
    `the methods that a narrowing block calls can't be read from this version of objection. Install the version that Framewright's package.json names: npm install.`,
  FW_SCOPE_RETURN: (where: string) =>
    `${where} must narrow the query that it was handed and return it, or nothing; it returned something else.`,
  FW_SORT_WIDENS: (where: string, what: string) =>
    `${where} calls ${what}; a sort may call orderBy and orderByRaw, and nothing else. Narrow in a scope or a filter instead.`,
  FW_SINGULAR_SEVERAL: (constant: string) =>
    `${constant} is registered as singular, and several records are in reach. Override singularRecord() in its controller.`,
});
