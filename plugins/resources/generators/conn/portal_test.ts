import type { Application } from "framewright";
import type { GeneratorContext, ModelFile } from "framewright/generators";
import { camelize, demodulize, underscore } from "framewright/host/inflection";
import type { ModelInfo } from "framewright/plugins/database";
import { isBuiltInPredicate } from "framewright/plugins/resources/names";
import { filesOf, importPath, resourceOf } from "../../../../generators/toolkit/index.ts";
import { braced, MAX_LINE_CHARS } from "../../../database/generators/toolkit/index.ts";
import { isRequired, sampleValue, testValues } from "./test_values.ts";

/** How a test enters a portal: its path, and the account that it creates. */
export interface PortalEntrance {
  at: string;
  account: string;
  model: ModelInfo;
  loginColumn: string;
}

/** Undefined for portals with tenants, and for those without accounts or with accounts that a test can't create alone. */
export function entranceOf(open: Application, portal: string, account: string | undefined): PortalEntrance | undefined {
  const mount = open.mounts.find(({ engine }) => engine.name === camelize(portal));
  const { kernel } = open;
  if (!mount || account === undefined || !kernel.has("auth")) return undefined;
  if (kernel.has("scoping") && kernel.service("scoping").ruleOf(camelize(portal))) return undefined;
  const { model, class: cls } = kernel.service("auth").types.get(account, "fw:res:conn");
  if (cls.apiOnly) return undefined;
  return { at: mount.at, account, model, loginColumn: cls.loginColumn };
}

/** Writes the test of a resource in a portal: a person creates a record and reads it, and a guest is refused. */
export function writePortalTest(
  { app, changes, template }: GeneratorContext,
  entrance: PortalEntrance,
  { portal, model, info, create }: { portal: string; model: ModelFile; info: ModelInfo; create: readonly string[] },
): void {
  const person = personOf(entrance);
  if (person === undefined) return;
  const resource = resourceOf(model.constant);
  const isStandard = policiesOf(resource, model, portal).every((path) => !overridesPredicates(changes.read(path)));
  const values = isStandard ? testValues(info, create) : undefined;
  const fields = values?.map(({ name, value }) => `"${resource.key}[${name}]": ${JSON.stringify(value)}`);
  const path = `${entrance.at}/${resource.route}`;
  const accountModel = app.model(entrance.model.constant);
  template(`test/portals/${portal}/${resource.path}.test.ts`, "test.ts", {
    ...resource,
    portal,
    path,
    person,
    account: entrance.account,
    login: LOGIN,
    account_class: demodulize(accountModel.constant),
    account_path: importPath(accountModel.path),
    fields: fields ? braced(fields, "    ", MAX_LINE_CHARS - submitLine(path).length) : "",
    text: values?.find(({ shown }) => shown)?.value ?? "",
  });
}

const LOGIN = "ann@example.com";
/** The line of the test that has the fields. */
const submitLine = (path: string): string => `    const answer = await ann.submit("${path}/new", );`;

/** The values of an account that may sign in, as code. */
function personOf({ model, loginColumn }: PortalEntrance): string | undefined {
  const columns = [...model.columns.values()].filter(
    (column) => !["id", loginColumn, "created_at", "updated_at"].includes(column.name) && isRequired(model, column),
  );
  const values = columns.map((column) => sampleValue(model, column));
  if (columns.some(({ type }, index) => !["string", "text"].includes(type) || !values[index])) return undefined;
  const status = model.columns.has("account_status") ? ['account_status: "verified"'] : [];
  const more = values.map((one) => `${one!.name}: ${JSON.stringify(one!.value)}`);
  return `{ ${[`${loginColumn}: "${LOGIN}"`, ...status, ...more].join(", ")} }`;
}

/** The policies that decide in a portal, the resource's own aside, which a scaffold opens to whoever is signed in. */
function policiesOf(resource: ReturnType<typeof resourceOf>, model: ModelFile, portal: string): string[] {
  const own = filesOf(resource, portal, `${portal}/`).policy;
  return [
    own,
    filesOf(resource, model.package).policy,
    `packages/${portal}/app/policies/${portal}/resource_policy.ts`,
    "app/policies/resource_policy.ts",
  ];
}

const OPEN =
  /override canCreate\(\) \{\s+return this\.user !== undefined;\s+\}\s+override canRead\(\) \{\s+return true;\s+\}/;
/** Whether a policy overrides who may read and create; predicates of its own, as those of transitions, are of other actions. */
const overridesPredicates = (text = ""): boolean =>
  [...text.replace(OPEN, "").matchAll(/\bcan([A-Z]\w*)\(/g)].some(([, name]) => isBuiltInPredicate(underscore(name!)));
