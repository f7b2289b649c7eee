import { BaseController, html, type Reply } from "framewright";

/** The page at `/acme`, for everybody. */
export class AcmeController extends BaseController {
  static override readonly viewPath = "acme";
  static override readonly guests = "admit";

  show(): Reply {
    const assets = this.request.kernel.service("assets");
    const head = html`<link rel="stylesheet" href="${assets.url("fw_acme.css")}"><script type="module" src="${assets.url("fw_acme.js")}"></script>`;
    return this.render("show", { locals: { head, title: this.t("fw_acme.title") } });
  }
}
