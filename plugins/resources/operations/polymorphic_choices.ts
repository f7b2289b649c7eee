import type { BaseController } from "framewright/host";
import { type PolymorphicInfo, readReference } from "framewright/plugins/database";
import type { ResourceRequest } from "../request.ts";
import { type Chosen, choicesFor, groupOf, mayChoose } from "./choices.ts";

/** The records of several models that may be chosen, in a group for each model; see `choicesFor`. */
export async function polymorphicChoices(
  controller: BaseController,
  polymorphic: PolymorphicInfo,
  given: string | undefined,
  kept: readonly (string | undefined)[],
): Promise<Chosen> {
  const chosen = given === undefined ? undefined : readReference(polymorphic, given);
  const all: Chosen = { choices: [], more: 0, capped: false, groups: [] };
  for (const [name, target] of polymorphic.targets) {
    const keptIds = kept.map((one) => (one?.startsWith(`${name}/`) ? one.slice(name.length + 1) : undefined));
    const of = await choicesFor(controller, target, chosen?.target === target ? chosen.id : undefined, keptIds);
    const group = groupOf(controller, target);
    all.groups!.push(group);
    all.choices.push(...of.choices.map((choice) => ({ ...choice, value: `${name}/${choice.value}`, group })));
    all.more += of.more;
    all.capped ||= of.capped;
  }
  return all;
}

/**
 * The columns of a reference that was sent, when its record is one that the person may choose; undefined where it is none.
 * Of a model that they may not choose from, only what the field has already (`kept`).
 */
export async function polymorphicKeys(
  controller: ResourceRequest,
  polymorphic: PolymorphicInfo,
  given: string | null,
  kept: readonly unknown[],
): Promise<Record<string, unknown> | undefined> {
  const { typeColumn, keyColumn } = polymorphic;
  if (given === null) return { [typeColumn]: null, [keyColumn]: null };
  const reference = readReference(polymorphic, given);
  if (reference && !mayChoose(controller, reference.target) && !kept.includes(given)) return undefined;
  const key = reference && (await controller.resources.keyOf(controller, reference.target, reference.id));
  return key === undefined ? undefined : { [typeColumn]: reference!.name, [keyColumn]: key };
}
