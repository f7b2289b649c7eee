import type { RouteInfo } from "framewright/host";
import type { Registration } from "framewright/plugins/resources";
import { formsOf } from "../client.ts";
import { type Body, fileBody, formBody } from "./bodies.ts";
import { inputTypes } from "./field_types.ts";
import type { AuditWorld } from "./portal_audit.ts";
import { sampleValues } from "./sample_values.ts";
import { RouteTargets } from "./targets.ts";

type Side = "a" | "b";

/**
 * The form of a resource with the reference that a member of the other tenant got for a file that was sent with errors;
 * nothing where its form keeps no file.
 */
export async function keptFileOf(
  world: AuditWorld,
  registration: Registration | undefined,
  theirs: Side,
  route: RouteInfo,
): Promise<Body[]> {
  if (!registration || !fileBody(registration, {}, "")) return [];
  const mine = theirs === "a" ? "b" : "a";
  const kept = await referencesOf(world, registration, theirs, route);
  const values = sampleValues(
    registration.model,
    { text: world.records.marks[mine], count: 9000 },
    {},
    inputTypes(registration.definition),
  );
  const body = (more: Record<string, string>) => formBody(registration.key, { ...values, ...more });
  return Object.keys(kept).length > 0 ? [{ ...body(kept), foreign: Object.keys(kept).join() }] : [];
}

/** Sends a file alone, as a member of the tenant, and reads the hidden fields that stand for it on the form that comes back. */
async function referencesOf(
  world: AuditWorld,
  registration: Registration,
  side: Side,
  route: RouteInfo,
): Promise<Record<string, string>> {
  const rule = world.application.kernel.service("scoping").ruleOf(route.engine ?? "");
  const { all } = await world.people.of(route.account);
  const person = all.find(({ member }) => member === side);
  if (!rule || !person) return {};
  const { targets } = await new RouteTargets({ ...world, rule, tokens: new Map() }, route).fill(side, "own");
  const { type, text } = fileBody(registration, {}, world.records.marks[side])!;
  const found: Record<string, string> = {};
  for (const { path } of targets) {
    const sent = { method: route.verb, url: path, type, body: text };
    const answer = await person.visitor.send(sent, { [world.recorder.tenantHeader]: side });
    const fields = formsOf(answer.text).flatMap((form) => Object.entries(form.fields));
    for (const [name, { value }] of fields) {
      const inner = /\[(_kept_\w+)\]$/.exec(name)?.[1];
      if (inner !== undefined && value !== "") found[inner] = value;
    }
  }
  await world.snapshot.compare(side); // what was saved, where nothing else was required
  return found;
}
