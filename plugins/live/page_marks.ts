import { type BaseController, html, type SafeHtml } from "framewright/host";
import type { Assets } from "framewright/plugins/assets";
import type { ResourceRequest } from "framewright/plugins/resources";
import { isFollowed } from "./followed.ts";
import { PATH } from "./routes.ts";
import { accountOf } from "./topics.ts";

export const SCRIPT = "live.js";
export const STYLES = "live.css";
const IS_MARKED = Symbol("live.marked");
type Kind = "list" | "record" | "form" | "bell";

/** Marks pages with what they follow, and adds the script that does so. */
export class PageMarks {
  readonly #assets: Assets;
  readonly #portalsWithBell: ReadonlySet<string>;

  constructor(assets: Assets, portalsWithBell: ReadonlySet<string>) {
    this.#assets = assets;
    this.#portalsWithBell = portalsWithBell;
  }

  list(controller: ResourceRequest): SafeHtml | undefined {
    return isFollowedBy(controller) ? this.#mark(controller, "list", pathOf(controller)) : undefined;
  }
  record(controller: ResourceRequest): SafeHtml | undefined {
    const hasKey = !controller.registration.model.key.isMissing;
    return hasKey && isFollowedBy(controller) ? this.#mark(controller, "record", pathOf(controller)) : undefined;
  }
  /** The form of a stored record. */
  form(controller: ResourceRequest): SafeHtml | undefined {
    if (!controller.record || !isFollowedBy(controller)) return undefined;
    return this.#mark(controller, "form", pathOf(controller).replace(/\/edit$/, ""));
  }
  /** At the end of each page of a portal: one that follows nothing else follows the bell. */
  pageEnd(controller: BaseController): SafeHtml | undefined {
    const { request, currentUser } = controller;
    if (request.locals[IS_MARKED] === true || !this.#portalsWithBell.has(request.engine?.name ?? "")) return undefined;
    return accountOf(currentUser) ? this.#mark(controller, "bell", request.mountPath) : undefined;
  }

  #mark(controller: BaseController, kind: Kind, path: string): SafeHtml | undefined {
    const { request } = controller;
    if (request.locals[IS_MARKED] === true || request.frame !== undefined) return undefined;
    request.locals[IS_MARKED] = true;
    const at = Math.floor(Date.now() - (performance.now() - request.startedAt)); // before anything was read
    const query = `?at=${at}${kind === "form" ? "&form=1" : ""}`;
    const script = html`<script src="${this.#assets.url(SCRIPT)}" defer></script>`;
    if (kind === "bell")
      return html`<div data-live="${kind}" data-live-url="${path}/${PATH}${query}" hidden></div>${script}`;
    const t = (key: string) => controller.t(`live.${key}`);
    const styles = html`<link rel="stylesheet" href="${this.#assets.url(STYLES)}">`;
    const button =
      kind === "form"
        ? undefined
        : html`<button type="button" class="btn btn-sm" data-live-show hidden>${t("show")}</button>`;
    return html`${styles}<div class="fw-live" data-live="${kind}" data-live-url="${path}/${PATH}${query}" data-changed="${t(`${kind}_changed`)}" data-gone="${t("gone")}"><p role="status"></p>${button}</div>${script}`;
  }
}

const isFollowedBy = ({ currentUser, registration }: ResourceRequest): boolean =>
  currentUser !== undefined && isFollowed(registration);

/** The path of the page, as the browser has it. */
const pathOf = ({ request }: BaseController): string => (request.raw.url ?? "").split("?", 1)[0]!.replace(/\/$/, "");
