import { type ApplicationContext, html, htmlReply, isLocal, type Reply, type RequestContext } from "framewright/host";
import type { Assets } from "framewright/plugins/assets";
import type { Views } from "framewright/plugins/views";
import type { Recorder } from "../recording/recorder.ts";
import { listView } from "./list_view.ts";
import { requestView } from "./request_view.ts";

/** What the pages need. */
interface PageParts {
  readonly views: Views;
  readonly assets: Assets;
  readonly host: ApplicationContext;
}
const PAGE = /^\/_fw\/requests\/(\d{1,15})$/;

/**
 * The pages at `/_fw`. They are answered before the routes: no session is opened, nobody is authenticated, and nothing is
 * written. To anybody but this machine they do not exist.
 */
export class InspectorPages {
  readonly #recorder: Recorder;
  readonly #parts: PageParts;

  constructor(recorder: Recorder, parts: PageParts) {
    this.#recorder = recorder;
    this.#parts = parts;
  }

  /** The page that a request names; undefined where it names none, or may not see it. */
  answer(request: RequestContext): Reply | undefined {
    const { method, format, settings } = request;
    if (!request.path.startsWith(settings.basePath)) return undefined;
    const path = request.path.slice(settings.basePath.length);
    const id = PAGE.exec(path)?.[1];
    if (path !== "/_fw" && id === undefined) return undefined;
    if ((method !== "GET" && method !== "HEAD") || format !== "html" || !isLocal(request)) return undefined;
    return id === undefined ? this.#list(request) : this.#show(request, id);
  }

  #list(request: RequestContext): Reply {
    return this.#page(request, "inspector/index", {
      requests: this.#recorder.requests.map((one) => listView(one, request.settings.basePath)),
    });
  }
  #show(request: RequestContext, id: string): Reply {
    const found = this.#recorder.find(id);
    if (!found) return this.#page(request, "inspector/gone", {}, 404);
    return this.#page(request, "inspector/show", { shown: requestView(found, this.#parts.host.settings.root) });
  }

  #page(request: RequestContext, name: string, locals: Record<string, unknown>, status = 200): Reply {
    const { views, assets, host } = this.#parts;
    const head = html`<link rel="stylesheet" href="${assets.url("inspector.css")}">`;
    const mails = host.kernel.has("mailer") ? `${host.settings.basePath}/_fw/mails` : undefined;
    const base_path = host.settings.basePath;
    const common = { base_path, title: request.t("inspector.title"), head, mails, request: { locale: request.locale } };
    const page = views.render({ names: [name], layout: "inspector", locals: { ...common, ...locals } });
    const reply = htmlReply(page, status);
    reply.headers["cache-control"] = "no-store";
    return reply;
  }
}
