import type { Reply } from "framewright/host";
import type { Run } from "../contract/index.ts";
import { faceOf } from "./customization.ts";
import type { Entered } from "./open_request.ts";
import { around, layoutOf } from "./step_page.ts";

/** What a run says when it is done. */
export function completedPage(entered: Entered, run: Run): Reply {
  const { controller, mount, onto } = entered;
  const { title, text } = mount.wizard.facts.completed ?? {};
  const message = run.outcome?.message;
  if (controller.request.format === "json")
    return controller.json({ data: { wizard: mount.name, state: run.state, message: message ?? null } });
  const locals = {
    ...around(entered),
    heading: title ?? controller.t("wizards.completed_title"),
    text: text ?? message ?? controller.t("wizards.completed_text"),
    ...(text !== undefined && message !== undefined ? { message } : {}),
    home: onto ?? faceOf(controller).wizardHome(),
  };
  return controller.render("wizards/completed", { locals, ...layoutOf(entered) });
}

const SECONDS = 3;

/** The run is being completed by another request: the page asks again by itself. */
export function busyPage(entered: Entered, run: Run): Reply {
  const { controller, mount } = entered;
  const reply =
    controller.request.format === "json"
      ? controller.json({ data: { wizard: mount.name, state: run.state } }, { status: 202 })
      : controller.render("wizards/busy", { locals: around(entered), ...layoutOf(entered) });
  reply.headers.refresh = String(SECONDS);
  reply.headers["retry-after"] = String(SECONDS);
  return reply;
}
