import { forbidden, type Reply } from "framewright/host";
import type { ResourceController } from "../controller.ts";
import { allows, type Policy } from "../definition/policy.ts";
import { nestedNames, type Registration } from "../registration/registration.ts";
import { hold } from "./current_record.ts";
import type { Entry } from "./entry.ts";
import { jsonOf } from "./json.ts";
import { etagOf, versionOfEntry } from "./version.ts";

// The steps of a controller for an entry. Of a record each is the controller's own method; of a row it comes to the same
// without a record, since rows are read for those controllers only that leave these methods as they are (see reads.ts).

/** The policy of a controller's resource for an entry: one that does not look at the record costs none. */
export function policyOn(controller: ResourceController, entry: Entry): Policy {
  if (!entry.row) return controller.policyFor(entry.record);
  const { registration, parent } = controller.about;
  const { policyClass } = registration;
  return controller.resources.policyOn(controller, policyClass, entry, controller.parent, parent?.association);
}

/** Makes the entry the one that the request is about. @throws HttpError 403 when the policy denies it */
export async function authorizeEntry(controller: ResourceController, action: string, entry: Entry): Promise<void> {
  hold(controller, entry);
  if (!entry.row) return controller.authorizeAction(action, entry.record);
  if (!allows(policyOn(controller, entry), action)) throw forbidden();
  const { authorize } = controller.resources.hooks;
  if (authorize.isUsed()) await authorize.promise(action, controller);
}

/** The names that are shown of an entry, as the policy permits for it. */
export function shownNames(controller: ResourceController, entry: Entry): readonly string[] {
  if (!entry.row) return controller.listOf("Show", entry.record);
  const { registration, resources } = controller;
  return resources.fields(registration.permitted(policyOn(controller, entry), "Show"), registration, controller);
}

/** The address of an entry, below the parent of a nested route. */
export function urlOn(controller: ResourceController, entry: Entry): string {
  if (!entry.row) return controller.urlFor(entry.record);
  const { about, request } = controller;
  const { registration, parent } = about;
  const { one } = parent ? nestedNames(parent.registration, parent.association) : registration.names;
  const args = parent && !parent.registration.singular ? [controller.parent, entry.id] : [entry.id];
  return request.application.paths.path(registration.owner, one, args, request);
}

/** What the names of a list are of an entry, as JSON has them; compiled once. */
export const jsonPlan = (registration: Registration, names: readonly string[]) =>
  registration.plans.for("json", names, (kept) =>
    kept.map((name) => ({ name, value: jsonOf(registration.attribute(name), registration.model) })),
  );

/** Entries as JSON: of each its id, and what the policy permits reading. */
export function entriesJson(
  controller: ResourceController,
  entries: readonly Entry[],
  names: readonly string[],
): Record<string, unknown>[] {
  const plan = jsonPlan(controller.registration, names);
  return entries.map((entry) => {
    if (!entry.row) return controller.recordJson(entry.record, names);
    const data: Record<string, unknown> = { id: entry.id };
    for (const { name, value } of plan) data[name] = value(entry);
    return data;
  });
}

/** An entry as the answer of a request. */
export function answerEntry(controller: ResourceController, entry: Entry): Reply {
  if (!entry.row) return controller.answerRecord(entry.record);
  const [data] = entriesJson(controller, [entry], shownNames(controller, entry));
  const reply = controller.json({ data });
  reply.headers.etag = etagOf(versionOfEntry(entry, controller.registration.model));
  return reply;
}
