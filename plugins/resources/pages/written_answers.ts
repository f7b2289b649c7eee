import type { Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { allows } from "../definition/policy.ts";
import { labelOf } from "../entry/labels.ts";
import { deletionNotice } from "../operations/deletion_notice.ts";
import { fallbackLocation, isVisible, returnLocationWithout } from "../operations/return_location.ts";
import type { ResourceRequest } from "../request.ts";
import { anotherLocation } from "./add_another.ts";
import { answerBeside } from "./beside.ts";
import { answerInDialog } from "./saved_in_dialog.ts";

/** How a record is answered that was created. */
export async function answerCreated(controller: ResourceRequest, record: BaseModel): Promise<Reply> {
  if (controller.request.isBackground && controller.recordWriter) return controller.head(201); // nobody reads what a row is answered
  const isSeen = await isVisible(controller, record);
  if (controller.request.format === "json") {
    const reply = controller.answerRecord(await controller.reload(record), 201);
    if (isSeen) reply.headers.location = controller.urlFor(record);
    return reply;
  }
  const beside = answerBeside(controller, record, isSeen);
  if (beside) return beside;
  const another = anotherLocation(controller);
  if (another === undefined) return controller.answerSaved("resource.created", record, isSeen);
  controller.flash.add("success", controller.t("resource.created", { name: labelOf(controller, record) }));
  return controller.redirectTo(another);
}

/** How one is answered that was changed. */
export async function answerUpdated(controller: ResourceRequest, record: BaseModel): Promise<Reply> {
  if (controller.request.isBackground && controller.recordWriter) return controller.head(204);
  if (controller.request.format === "json") return controller.answerRecord(await controller.reload(record));
  return controller.answerSaved("resource.updated", record, await isVisible(controller, record));
}

/** Reports that it was saved, and leads on. */
export function answerSaved(controller: ResourceRequest, text: string, record: BaseModel, isSeen: boolean): Reply {
  const said = controller.t(text, { name: labelOf(controller, record) });
  controller.flash.add("success", said);
  if (!isSeen) controller.flash.add("info", controller.t("resource.out_of_sight"));
  const closing = answerInDialog(controller, said, record, isSeen);
  if (closing) return closing;
  if (isSeen) return controller.redirectTo(controller.locationAfter(record));
  return controller.redirectTo(returnLocationWithout(controller, record) ?? fallbackLocation(controller));
}

/** Reports that the record of the controller was deleted, and leads on. */
export function answerDestroyed(controller: ResourceRequest): Reply {
  const { record } = controller;
  if (controller.request.format === "json") return controller.head(204);
  const said = controller.t("resource.destroyed", { name: record && labelOf(controller, record) });
  const notice = deletionNotice(controller, [record && controller.registration.model.key.of(record)]);
  controller.flash.add("success", notice ? `${said} ${notice.text}` : said, notice?.action);
  return controller.redirectTo((record && returnLocationWithout(controller, record)) ?? fallbackLocation(controller));
}

/** Where a saved form leads: to `return_to`, else to what is preferred, as far as the policy allows it. */
export function locationAfter(controller: ResourceRequest, record: BaseModel): string {
  const back = controller.returnTo();
  if (back !== undefined) return back;
  const policy = controller.policyFor(record);
  const { preferredActionAfterSubmit: wanted, registration } = controller;
  const action = wanted !== "index" && [wanted, "show" as const].find((one) => allows(policy, one));
  if (!action) return registration.singular ? controller.urlFor(record, { action: "index" }) : controller.listUrl;
  return controller.urlFor(action === "new" ? registration.model.class : record, { action });
}
