import { html, type SafeHtml } from "framewright/host";
import { allows, type Policy, type ResourceController } from "framewright/plugins/resources";
import { iconOrNothing } from "framewright/plugins/views";
import { hasImport } from "./checks.ts";
import { importUrl } from "./urls.ts";

/** The button by which a file is imported into a list; undefined where the person may not, or the list is a parent's. */
export function importButton(controller: ResourceController, policy: Policy): SafeHtml | undefined {
  const { currentUser, about } = controller;
  if (currentUser === undefined || about.parent || !hasImport(about.registration)) return undefined;
  if (!allows(policy, "import") || !(allows(policy, "create") || allows(policy, "update"))) return undefined;
  return html`<a class="btn" href="${importUrl(controller)}">${iconOrNothing("upload")}${controller.t("resource.import.title")}</a>`;
}
