import { html, htmlReply, type Reply } from "framewright/host";
import type { ResourceController } from "../controller.ts";

/** The frame of the shell's dialog, as `turboFrame: "modal"` of an action names it. */
const DIALOG = "modal";

/** How a form in the shell's dialog is answered once it is saved: the dialog closes, and the page behind is drawn anew. */
export function answerInDialog({ request }: ResourceController, text: string): Reply | undefined {
  if (request.frame !== DIALOG) return undefined;
  const saved = html`<turbo-frame id="${DIALOG}"><p role="status" data-closes>${text}</p></turbo-frame>`;
  return htmlReply(saved.html, 201); // Turbo shows no 200 to a form
}
