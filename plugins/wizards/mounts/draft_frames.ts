import { type BaseController, html, type SafeHtml } from "framewright/host";
import { allows, type ResourceController } from "framewright/plugins/resources";
import type { Views } from "framewright/plugins/views";
import type { WizardClass } from "../contract/index.ts";
import { DRAFT_FRAME } from "../pages/drafts.ts";
import { wizardsOf } from "./definition_macro.ts";
import { isOnRecord } from "./wizard_class.ts";

/**
 * Offers a person's unfinished runs on the lists and records of resources that have wizards: as frames that the page loads
 * once it is shown, so that the page itself reads nothing of runs.
 */
export function addDraftFrames(views: Views): void {
  views.slots.add("list.start", (_, controller) => {
    const isFirst = controller.request.search === ""; // not again on each page, order and search of the list
    return isFirst ? framesOf(controller, false, () => controller.listUrl) : undefined;
  });
  views.slots.add("record.before_details", (_, controller) =>
    framesOf(controller, true, () => controller.urlFor(controller.record!)),
  );
}

function framesOf(controller: ResourceController, onRecord: boolean, urlOf: () => string): SafeHtml | undefined {
  const { about, currentUser, registration, request } = controller;
  const wizards = wizardsOf(registration.definition);
  if (
    request.actorFor(currentUser) ||
    wizards.size === 0 ||
    currentUser === undefined ||
    about.parent ||
    request.frame !== undefined
  )
    return undefined;
  const keys = [...wizards].filter(([, wizard]) => isOffered(wizard, onRecord)).map(([key]) => key);
  if (keys.length === 0) return undefined;
  const policy = controller.policyFor(onRecord ? controller.record : undefined);
  const permitted = keys.filter((key) => allows(policy, registration.definition.actions.get(key)?.policy ?? key));
  return html`${permitted.map((key) => frame(controller, key, `${urlOf()}/wizards/${key}/runs`))}`;
}

/** A one-time wizard is not: those who have completed it see nothing of it, and for others its launch leads to the run that there is. */
const isOffered = (wizard: WizardClass, onRecord: boolean): boolean =>
  isOnRecord(wizard) === onRecord && !wizard.metadata.oneTime;

/** Empty until it is loaded; without JavaScript a link to the page of the runs. */
function frame(controller: BaseController, key: string, url: string): SafeHtml {
  const link = html`<noscript><p class="fw-draft"><a href="${url}">${controller.t("wizards.drafts")}</a></p></noscript>`;
  return html`<turbo-frame id="${DRAFT_FRAME}${key}" src="${url}" target="_top" data-optional>${link}</turbo-frame>`;
}
