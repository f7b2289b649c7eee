import type { Reply } from "framewright/host";
import type { Run } from "../contract/index.ts";
import { customizationOf } from "./customization.ts";
import { frameLocals, layoutOf } from "./frame.ts";
import type { PageContext } from "./open_request.ts";

/** The page of a completed run. */
export function completedPage(context: PageContext, run: Run): Reply {
  const { controller, mount, subjectUrl } = context;
  const { title, text } = mount.wizard.metadata.completed ?? {};
  const message = run.outcome?.message;
  if (controller.request.format === "json")
    return controller.json({ data: { wizard: mount.name, state: run.state, message: message ?? null } });
  const locals = {
    ...frameLocals(context),
    heading: title ?? controller.t("wizards.completed_title"),
    text: text ?? message ?? controller.t("wizards.completed_text"),
    ...(text !== undefined && message !== undefined ? { message } : {}),
    home: subjectUrl ?? customizationOf(controller).wizardHome(),
  };
  return controller.render("wizards/completed", { locals, ...layoutOf(context) });
}

const REFRESH_SECONDS = 3;

/** The page while another request completes the run; it reloads itself. */
export function busyPage(context: PageContext, run: Run): Reply {
  const { controller, mount } = context;
  const reply =
    controller.request.format === "json"
      ? controller.json({ data: { wizard: mount.name, state: run.state } }, { status: 202 })
      : controller.render("wizards/busy", { locals: frameLocals(context), ...layoutOf(context) });
  reply.headers.refresh = String(REFRESH_SECONDS);
  reply.headers["retry-after"] = String(REFRESH_SECONDS);
  return reply;
}
