import { type BaseController, type ControllerClass, forbidden } from "framewright";
import { definePortalPart, type PortalPart } from "framewright/plugins/portals";
import type {} from "framewright/plugins/resources";
import type { AuditLine } from "./contract.ts";

const auditOf = ({ request }: BaseController) => request.kernel.service("audit");

const AuditPages = <B extends ControllerClass>(Base: B) =>
  class extends Base {
    static viewPath = "audit";

    async index() {
      const audit = auditOf(this);
      if (!audit.isOpenTo(this)) throw forbidden();
      const before = /^\d{1,15}$/.exec(String(this.params.get("before") ?? ""))?.[0];
      const { lines, next } = await audit.visible(this, before === undefined ? {} : { before: Number(before) });
      if (this.request.format === "json")
        return this.json({ data: lines.map(summaryOf), meta: { next: next ?? null } });
      const older = next === undefined ? undefined : `${this.request.path}?before=${next}`;
      const shown = lines.map((line) => ({ ...summaryOf(line), ...wordsOf(this, line) }));
      return this.render("index", { locals: { title: this.t("audit.title"), lines: shown, older } });
    }
  };

/** What a list shows of a line: values are on the page of the record, where its policy says which of them. */
const summaryOf = ({ changes: _, tenant: __, ...line }: AuditLine) => line;

function wordsOf(controller: BaseController, { kind, model, record }: AuditLine) {
  return { kind_text: controller.t(`audit.kinds.${kind}`), name: `${model} ${record}` };
}

/** A page with the changes that a person may see, and a line in the sidebar: `portal.use(audit.pages({ at: "audit" }))`. */
export const pages = ({ at = "audit" }: { at?: string } = {}): PortalPart =>
  definePortalPart({
    name: "audit",
    routes(routes, portal) {
      routes.get(at, { controller: portal.controller(AuditPages), action: "index", as: "audit" });
    },
    navigation(items, controller) {
      if (!auditOf(controller).isOpenTo(controller)) return;
      const url = `${controller.request.mountPath}/${at}`;
      items.push({ label: controller.t("audit.title"), url, icon: "history" });
    },
  });
