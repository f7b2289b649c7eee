import { html, notFound, type Reply, raw, type SafeHtml } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { details } from "framewright/plugins/fields";
import { fieldLabel, labelOf, type ResourceRequest } from "framewright/plugins/resources";
import { detailOf, loadHandled, recordEntry, shownNames } from "framewright/plugins/resources/toolkit";
import { type PrintPage, printPagesOf } from "./print_pages.ts";

/** `GET <record>/print/:print_key`. @throws HttpError 403, 404 */
export async function showPrintPage(controller: ResourceRequest): Promise<Reply> {
  const { registration, request } = controller;
  const page = printPagesOf(registration.definition).get(request.routeParams.print_key ?? "");
  if (!page) throw notFound();
  const record = await controller.findRecord(controller.listOf("Show"));
  controller.record = record;
  await controller.authorizeAction("show", record);
  if (page.policy !== undefined) await controller.authorizeAction(page.policy, record);
  const { currentUser, currentScopedEntity } = controller;
  if (page.condition && !page.condition({ record, currentUser, currentScopedEntity })) throw notFound();
  const locals = {
    title: titleOf(controller, page, record),
    shows_title: page.title !== false,
    paper: `fw-paper-${(page.size ?? "A4").toLowerCase()}${page.landscape ? "-landscape" : ""}`,
    record,
    body: await contentOf(controller, page, record),
  };
  return controller.render("printing/page", { layout: "paper", locals });
}

function titleOf(controller: ResourceRequest, { title }: PrintPage, record: BaseModel): string {
  if (typeof title === "function") return title({ controller, record });
  return typeof title === "string" ? title : labelOf(controller, record);
}

async function contentOf(controller: ResourceRequest, page: PrintPage, record: BaseModel): Promise<SafeHtml> {
  if (page.content) return page.content({ controller, record });
  if (page.template === undefined) return fieldsOf(controller, record);
  const { request } = controller;
  const views = request.kernel.service("views");
  const locals = { record, request: { time_zone: request.timeZone, locale: request.locale } };
  return raw(views.render({ portal: request.engine?.path, names: [page.template], locals }));
}

/** What the person may read of the record, as on its page. */
async function fieldsOf(controller: ResourceRequest, record: BaseModel): Promise<SafeHtml> {
  const { registration } = controller;
  const names = shownNames(controller, controller.listOf("Show", record), "displays", { record: () => record });
  await loadHandled(controller, [recordEntry(controller, record)], names);
  const items = names.map((name) => {
    const attribute = registration.attribute(name);
    const label = fieldLabel(controller, registration, attribute, "display");
    return { name, label, wide: attribute.types.display.wide === true, value: detailOf(controller, attribute, record) };
  });
  const fieldsets = registration.definition.fieldsets.map((set) => ({ ...set, collapsed: undefined })); // paper does not unfold
  return html`${details({ items, fieldsets })}`;
}
