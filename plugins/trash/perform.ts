import { type FieldErrors, HttpError } from "framewright/host";
import { messageOf } from "framewright/kernel";
import { type BaseModel, ModelInfo, ValidationError } from "framewright/plugins/database";
import { fieldLabel, labelOf, type ResourceController } from "framewright/plugins/resources";
import { fieldErrors, isDenial, report } from "framewright/plugins/resources/toolkit";
import { NotRestored } from "./restore.ts";
import type { TrashService } from "./service.ts";

/** What is done to records in the trash. */
export type Operation = "restore" | "purge";

/** What became of a record in the trash: it is done, or what prevents it, as a sentence and by field. */
export interface Done {
  readonly id: unknown;
  readonly label: string;
  readonly reason?: string;
  readonly errors?: FieldErrors;
}

/** The records in the trash that the person may see, of these keys. */
export async function deletedRecords(controller: ResourceController, ids: readonly string[]): Promise<BaseModel[]> {
  const { key, class: cls } = controller.registration.model;
  const keys = ids.flatMap((id) => key.parse(id) ?? []);
  if (keys.length === 0) return [];
  const query = key.whereIn(controller.visibleRecords().onlyDeleted(), keys);
  const found = await controller.resources.database.read(query, cls.labelAssociations);
  return found.filter((record) => keys.some((one) => key.isExact(record, one)));
}

/** Restores or purges records, each by itself. @throws HttpError 503 */
export async function perform(
  controller: ResourceController,
  service: TrashService,
  operation: Operation,
  records: readonly BaseModel[],
): Promise<Done[]> {
  const done: Done[] = [];
  for (const record of records) done.push(await performOne(controller, service, operation, record));
  return done;
}

async function performOne(
  controller: ResourceController,
  service: TrashService,
  operation: Operation,
  record: BaseModel,
): Promise<Done> {
  const { request, registration } = controller;
  const limits = { until: request.deadline, by: `the resource "${registration.constant}"` };
  const of = { id: ModelInfo.keyOf(record), label: labelOf(controller, record) };
  try {
    await controller.authorizeAction(operation, record, operation === "restore" ? "destroy" : undefined);
    if (operation === "purge") await service.purge(record, limits);
    else {
      const [restored] = await service.restore(record, limits);
      await report(controller, "created", restored!);
    }
    return of;
  } catch (error) {
    return { ...of, ...problemOf(controller, operation, error) };
  }
}

function problemOf(
  controller: ResourceController,
  operation: Operation,
  error: unknown,
): Pick<Done, "reason" | "errors"> {
  const t = (key: string) => controller.t(`resource.trash.reasons.${key}`);
  if (error instanceof NotRestored) return { reason: t(error.reason) };
  if (isDenial(error)) return { reason: t("refused") };
  if (error instanceof ValidationError) {
    const { registration } = controller;
    const isOwn = registration.model.lineage.some(({ constant }) => constant === error.subject);
    if (operation === "purge") return { reason: t("referenced") };
    if (!isOwn) return { reason: t("along") };
    const seen = [...new Set([...controller.listOf("Index"), ...controller.listOf("Show")])];
    const errors = fieldErrors(controller, error.problems, seen);
    const named = Object.entries(errors).filter(([name]) => name !== "base");
    const sentences = named.map(
      ([name, texts]) =>
        `${fieldLabel(controller, registration, registration.attribute(name), "display")} ${texts.join(", ")}`,
    );
    return named.length > 0
      ? { reason: sentences.join("; "), errors: Object.fromEntries(named) }
      : { reason: t("values") };
  }
  if (error instanceof HttpError || (error as { status?: unknown }).status === 503) throw error;
  controller.request.application.log.error(
    { err: error },
    `a record in the trash was not changed: ${messageOf(error)}`,
  );
  return { reason: t("error") };
}
