import { type BaseController, demodulize, humanize, type Reply, underscore } from "framewright/host";
import { type ModelInfo, type PolymorphicInfo, readReference } from "framewright/plugins/database";
import type { ResourceController } from "../controller.ts";
import { type Chosen, choicesFor, found, moreText, registrationOf, searchTerm } from "./choices.ts";

/** What people call the records of a model: as its resource in this portal, else by its name. */
const groupOf = (controller: BaseController, target: ModelInfo): string =>
  registrationOf(controller, target)?.labels.many ?? humanize(underscore(demodulize(target.constant)));

/** The records of several models that may be chosen, in a group for each model. */
export async function polymorphicChoices(
  controller: BaseController,
  polymorphic: PolymorphicInfo,
  given: string | undefined,
): Promise<Chosen> {
  const chosen = given === undefined ? undefined : readReference(polymorphic, given);
  const all: Chosen = { choices: [], more: 0, capped: false, groups: [] };
  for (const [name, target] of polymorphic.targets) {
    const of = await choicesFor(controller, target, chosen?.target === target ? chosen.id : undefined);
    const group = groupOf(controller, target);
    all.groups!.push(group);
    all.choices.push(...of.choices.map((choice) => ({ ...choice, value: `${name}/${choice.value}`, group })));
    all.more += of.more;
    all.capped ||= of.capped;
  }
  return all;
}

/** The records that are found by the parameter `q` in each of the models, as JSON. */
export async function answerPolymorphicSearch(
  controller: BaseController,
  { targets }: PolymorphicInfo,
): Promise<Reply> {
  const term = searchTerm(controller);
  const data: object[] = [];
  const left = { more: 0, capped: false };
  for (const [type, target] of targets) {
    const { records, more, capped } = await found(controller, target, term);
    const group = groupOf(controller, target);
    for (const record of records) {
      const id = record.$id() as number | string;
      data.push({ type, id, label: record.toLabel(), value: `${type}/${id}`, group });
    }
    left.more += more;
    left.capped ||= capped;
  }
  const text = moreText(controller, left);
  return controller.json({ data, meta: { more: left.more, ...(text === undefined ? {} : { text }) } });
}

/** The columns of a reference that was sent, when its record is one that the person may choose; undefined where it is none. */
export async function polymorphicKeys(
  controller: ResourceController,
  polymorphic: PolymorphicInfo,
  given: string | null,
): Promise<Record<string, unknown> | undefined> {
  const { typeColumn, keyColumn } = polymorphic;
  if (given === null) return { [typeColumn]: null, [keyColumn]: null };
  const reference = readReference(polymorphic, given);
  const key = reference && (await controller.resources.keyOf(controller, reference.target, reference.id));
  return key === undefined ? undefined : { [typeColumn]: reference!.name, [keyColumn]: key };
}
