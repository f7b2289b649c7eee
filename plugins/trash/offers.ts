import { html } from "framewright/host";
import { accountId } from "framewright/plugins/portals";
import { allows, type Policy, type ResourceRequest } from "framewright/plugins/resources";
import type { DeletionNotice, ListHead } from "framewright/plugins/resources/toolkit";
import { iconOrNothing } from "framewright/plugins/views";
import { hasTrash } from "./check_models.ts";
import type { TrashService } from "./service.ts";

/** Records that the button of a message restores at most. */
const MAX_NAMED = 20;

/** Whether a policy lets the person restore: by `canRestore`, where it has none by `canDestroy`. */
export const mayRestore = (policy: Policy): boolean =>
  allows(policy, has(policy, "canRestore") ? "restore" : "destroy");
/** Whether it lets the person delete for good: nobody, unless it has `canPurge`. */
export const mayPurge = (policy: Policy): boolean => has(policy, "canPurge") && allows(policy, "purge");

const has = (policy: Policy, name: string): boolean =>
  typeof (policy as unknown as Record<string, unknown>)[name] === "function";

/** Whether the records of a request go to the trash of a person who is signed in and may see its page. */
export const showsTrash = ({ registration, about, currentUser }: ResourceRequest): boolean =>
  hasTrash(registration.model) &&
  !registration.singular &&
  accountId(currentUser as object | undefined) !== undefined &&
  about.parent === undefined;

/** What is shown before records are deleted. */
export function restoreQuestion(controller: ResourceRequest, { days }: TrashService): string | undefined {
  if (!hasTrash(controller.registration.model)) return undefined;
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(`resource.trash.${key}`, vars);
  return days === undefined ? t("question") : t("question_days", { count: days });
}

/** What the message about a deletion adds: the button that takes it back. */
export function offerRestore(ids: readonly unknown[], controller: ResourceRequest): DeletionNotice | undefined {
  const { registration, request } = controller;
  if (!hasTrash(registration.model)) return undefined;
  const text = controller.t("resource.trash.moved", { count: ids.length });
  const named = ids.map((id) => encodeURIComponent(String(id)));
  const isOffered =
    showsTrash(controller) &&
    request.format !== "json" &&
    !request.isBackground &&
    ids.length > 0 &&
    ids.length <= MAX_NAMED &&
    named.every((id) => /^[\w-]+$/.test(id)) &&
    allows(controller.policyFor(), "index");
  if (!isOffered) return { text };
  const url = `${controller.listUrl}/trash/${named.join(",")}/restore`;
  return { text, action: { label: controller.t("resource.trash.undo"), url } };
}

/** The link to the page of the trash, at the head of a list. */
export function trashLink({ controller, menu, policy, urls }: ListHead): void {
  if (!showsTrash(controller) || !allows(policy, "index")) return;
  const label = controller.t("resource.trash.title");
  menu.push(html`<a class="btn" href="${`${urls.base}/trash`}">${iconOrNothing("trash")}${label}</a>`);
}
