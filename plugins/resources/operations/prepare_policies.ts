import type { ApplicationContext, BaseController } from "framewright/host";
import type { Kernel, Slot } from "framewright/kernel";
import { type Database, queryPlace } from "framewright/plugins/database";
import type { PolicyClass, PolicyPreparation } from "../definition/policy.ts";
import { errors } from "../errors.ts";
import type { Registrations } from "../registration/registrations.ts";

type Prepare = NonNullable<PolicyClass["prepare"]>;
/** Module-level: found by a request, and freed with it: what the policies of a portal found for it, by the function that found it. */
const found = new WeakMap<object, Map<Prepare, unknown>>();

/**
 * Prepares the policies of a portal for each of its requests, once the tenant is known. Policies that inherit a
 * preparation share it. What one of them throws ends the request: nothing is decided then.
 */
export function addPreparations(application: ApplicationContext, registry: Registrations, database: Database): void {
  for (const [owner, place] of [[undefined, application] as const, ...application.engines]) {
    const own = [...registry.of(owner).values()].flatMap(({ policyClass: { prepare } }) => prepare ?? []);
    const prepares = [...new Set(own)];
    if (prepares.length > 0) place.prepare.push((controller) => preparePolicies(prepares, controller, database));
  }
}

async function preparePolicies(
  prepares: readonly Prepare[],
  controller: BaseController,
  database: Database,
): Promise<void> {
  const preparation: PolicyPreparation = {
    user: controller.currentUser,
    entityScope: controller.currentScopedEntity,
    request: controller.request,
    services: servicesOf(controller.request.kernel),
    query: (model) => database.queryIn(queryPlace(controller), model),
  };
  const values = await Promise.all(prepares.map(async (prepare) => [prepare, await prepare(preparation)] as const));
  found.set(controller.request, new Map(values));
}

/** Module-level: found by a kernel, and freed with it. */
const views = new WeakMap<Kernel, PolicyPreparation["services"]>();

/** The services by their slots, read when they are used. */
function servicesOf(kernel: Kernel): PolicyPreparation["services"] {
  let view = views.get(kernel);
  if (!view) {
    const get = (_: object, slot: string | symbol): unknown =>
      typeof slot === "string" && kernel.has(slot as Slot) ? kernel.service(slot as Slot) : undefined;
    view = new Proxy({}, { get });
    views.set(kernel, view);
  }
  return view;
}

/** What a policy class found for a request. @throws FW_POLICY_UNPREPARED where it was not prepared: nothing may be decided then */
export function preparedFor({ request }: BaseController, policyClass: PolicyClass): unknown {
  const { prepare } = policyClass;
  if (!prepare) return undefined;
  const values = found.get(request);
  if (!values?.has(prepare)) throw errors.FW_POLICY_UNPREPARED(policyClass.name);
  return values.get(prepare);
}
