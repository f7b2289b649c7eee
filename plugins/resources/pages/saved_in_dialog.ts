import { html, htmlReply, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { fallbackLocation } from "../operations/return_location.ts";
import type { ResourceRequest } from "../request.ts";
import { returnsToForm } from "./beside.ts";

/** The Turbo frame of the shell's dialog, as links to its forms name it. */
const DIALOG_FRAME = "modal";

/** Whether a page is shown in the dialog of the shell. */
export const isInDialog = ({ request }: ResourceRequest): boolean => request.frame === DIALOG_FRAME;

/** Where the page behind leads once the dialog is closed; by default it is drawn anew. */
interface Behind {
  location?: string | undefined;
  /** The address that the record had, and the one that takes its place. */
  from?: string;
  to?: string;
}

/** Closes the dialog, with the message for programs; people read it on the page behind. */
export function closeDialog(text: string, { location, from, to }: Behind): Reply {
  const led = location !== undefined && html` data-location="${location}"`;
  const moved = from !== to && html` data-from="${from}" data-to="${to}"`;
  const saved = html`<turbo-frame id="${DIALOG_FRAME}"><p role="status" data-closes${led}${moved}>${text}</p></turbo-frame>`;
  return htmlReply(saved.html, 201); // Turbo shows no 200 to a form
}

/** How a form of a record is answered once it is saved in the dialog. */
export function answerInDialog(
  controller: ResourceRequest,
  text: string,
  record: BaseModel,
  isSeen: boolean,
): Reply | undefined {
  if (!isInDialog(controller) || returnsToForm(controller)) return undefined;
  if (controller.actionName !== "update") return closeDialog(text, {});
  const to = isSeen ? controller.urlFor(record) : fallbackLocation(controller);
  return closeDialog(text, { from: controller.request.path, to });
}

/** A reply that leads to another page: from the dialog by closing it. */
export function leaveDialog(controller: ResourceRequest, reply: Reply): Reply {
  const { location } = reply.headers;
  if (!isInDialog(controller) || typeof location !== "string") return reply;
  controller.reply = undefined; // the redirect that was answered
  return closeDialog("", { location });
}
