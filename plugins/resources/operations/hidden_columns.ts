import type { BaseController } from "framewright/host";
import type { ModelInfo } from "framewright/plugins/database";
import { LazyPolicyContext, type Policy, type PolicyContext } from "../definition/policy.ts";
import type { Registration } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";

/** Columns of a resource that somebody may not read, with the amounts of money over them. */
export type HiddenColumns = ReadonlySet<string>;

/** Names that a list of a policy permits; `isOfRecord`: they depend on the record. */
interface ListNames {
  readonly names: readonly string[];
  readonly isOfRecord: boolean;
}

/** Module-level: found by a controller, and freed with it. */
const known = new WeakMap<BaseController, Map<Registration, HiddenColumns>>();

/** The columns of a resource that the policy of its portal permits the person neither in lists nor on pages. */
export function hiddenColumns(controller: BaseController, registration: Registration): HiddenColumns {
  const found = known.get(controller) ?? new Map<Registration, HiddenColumns>();
  known.set(controller, found);
  let hidden = found.get(registration);
  if (!hidden) {
    const { user, context } = policySubject(controller, registration);
    hidden = hiddenFrom(registration, { user, entityScope: controller.currentScopedEntity, context }, (names) =>
      controller.request.kernel.service("resources").fields(names, registration, controller as ResourceRequest),
    );
    found.set(registration, hidden);
  }
  return hidden;
}

/** Whether the person's list of a resource shows all of these columns by their own names: far cheaper than what is hidden. */
export function areListed(controller: BaseController, registration: Registration, columns: readonly string[]): boolean {
  const resources = controller.request.kernel.service("resources");
  const policy = resources.policy(controller, registration.policyClass, undefined);
  const names = listNames(() => policy.permittedAttributesForIndex());
  const left = resources.fields(names, registration, controller as ResourceRequest);
  return columns.every((column) => left.includes(column));
}

/** The account and what its policies prepared, as every policy of the request has them. */
function policySubject(controller: BaseController, { policyClass }: Registration): Pick<Policy, "user" | "context"> {
  return controller.request.kernel.service("resources").policy(controller, policyClass, undefined);
}

/** As `hiddenColumns`, for what a policy knows of a person. */
export function hiddenFrom(
  registration: Registration,
  person: Pick<PolicyContext, "user" | "entityScope" | "context">,
  left: (names: readonly string[]) => readonly string[] = (names) => names,
): HiddenColumns {
  const index = namesOf(registration, person, "permittedAttributesForIndex");
  const show = namesOf(registration, person, "permittedAttributesForShow");
  const names = left([...index.names, ...(show.isOfRecord ? [] : show.names)]);
  return registration.plan("hidden columns", names, (kept) => hiddenOf(registration, new Set(kept)));
}

/** What a list of a policy returns; nothing where it can't be computed without a record. */
function listNames(list: () => unknown): readonly string[] {
  try {
    const names = list();
    return Array.isArray(names) ? names : [];
  } catch {
    return [];
  }
}

type ListMethod = "permittedAttributesForIndex" | "permittedAttributesForShow";

/** A list of a policy, for no record. */
function namesOf(
  { policyClass }: Registration,
  { user, entityScope, context }: Pick<PolicyContext, "user" | "entityScope" | "context">,
  method: ListMethod,
): ListNames {
  let isOfRecord = false;
  const subject = {
    get record() {
      isOfRecord = true;
      return undefined;
    },
  };
  const names = listNames(() =>
    new policyClass(new LazyPolicyContext(subject, user, entityScope, undefined, undefined, context))[method](),
  );
  return { names, isOfRecord };
}

/** The columns that are hidden from everybody; undefined where the lists of the policy depend on the person, or on the record. */
export function hiddenFromAll(registration: Registration): HiddenColumns | undefined {
  const lists = (["permittedAttributesForIndex", "permittedAttributesForShow"] as const).map((method) =>
    staticNames(registration, method),
  );
  if (lists.includes(undefined)) return undefined;
  return hiddenOf(registration, new Set(lists.flatMap((names) => names ?? [])));
}

function staticNames({ policyClass }: Registration, method: ListMethod): readonly string[] | undefined {
  let isStatic = true;
  const get = (): undefined => {
    isStatic = false;
  };
  try {
    const nobody = { user: undefined, record: undefined, entityScope: undefined, parent: undefined };
    const policy = new policyClass(nobody);
    for (const name of ["user", "record", "entityScope", "parent", "parentAssociation", "context"])
      Object.defineProperty(policy, name, { get });
    const names: unknown = policy[method]();
    return isStatic && Array.isArray(names) ? names : undefined;
  } catch {
    return undefined;
  }
}

/** Columns that show nothing of a record but when it was written. */
const bookkeeping = new Set(["created_at", "updated_at", "lock_version"]);

function hiddenOf({ model, tenant, definition }: Registration, names: ReadonlySet<string>): HiddenColumns {
  const hidden = new Set<string>();
  const shown = [...definition.handlers].flatMap(([name, { columns = [] }]) => (names.has(name) ? columns : []));
  const permitted = new Set([...names, ...shown]);
  for (const column of model.columns.keys())
    if (column !== model.primaryKey && !bookkeeping.has(column) && !isPermitted(model, column, { permitted, tenant }))
      hidden.add(column);
  for (const [name, cents] of Object.entries(model.money)) if (hidden.has(cents)) hidden.add(name);
  return hidden;
}

interface Permitted {
  readonly permitted: ReadonlySet<string>;
  /** The constant of the portal's tenant: everybody knows whose records they see. */
  readonly tenant: string | undefined;
}

/** Whether a column is permitted by its own name, or by that of what is stored in it. */
function isPermitted(model: ModelInfo, column: string, { permitted, tenant }: Permitted): boolean {
  if (permitted.has(column)) return true;
  for (const [name, cents] of Object.entries(model.money)) if (cents === column && permitted.has(name)) return true;
  for (const { name, keyColumn, typeColumn } of model.polymorphic.values())
    if (permitted.has(name) && (column === keyColumn || column === typeColumn)) return true;
  for (const { name, target } of model.referencesBy(column))
    if (permitted.has(name) || target.constant === tenant) return true;
  return model.inheritance?.column === column;
}
