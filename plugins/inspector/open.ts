import { readFileSync } from "node:fs";
import { join } from "node:path";
import { html, isLocal, type Reply, type RequestContext } from "framewright/host";
import type { PluginKernel } from "framewright/kernel";
import type { Catalogue } from "framewright/plugins/i18n";
import type {} from "./contract.ts";
import { InspectorPages } from "./pages/pages.ts";
import { Recorder } from "./recording/recorder.ts";
import { secretColumns } from "./recording/secret_columns.ts";

/** Runs before the taps of others, or after them. */
const FIRST = -10_000;
const LAST = 10_000;

/** The page that refuses leads to the decisions of its request, on this machine alone. */
function linkRefusal(request: RequestContext, reply: Reply): void {
  const page = reply.headers["x-fw-request"];
  if (request.format !== "html" || typeof reply.body !== "string" || page === undefined || !isLocal(request)) return;
  const link = html`<p><a href="${String(page)}">${request.t("inspector.why_refused")}</a></p>`;
  reply.body = reply.body.replace('<p class="fw-error-action">', (action) => link.html + action);
}

/** Taps what there is to see of requests. Undefined where there are no pages to show it on. */
export function openInspector(
  { services, hooks, tap, onClose }: PluginKernel<"host", "inspector">,
  requests: number,
): Recorder | undefined {
  const { host, views, assets, i18n, layout } = services;
  if (!views || !assets || !i18n || !layout) return undefined;
  const recorder = new Recorder(requests, host);
  const pages = new InspectorPages(recorder, { views, assets, host });
  host.tracksOrigins = true;
  views.addRoot({ directory: join(import.meta.dirname, "views"), rank: "plugin" });
  for (const locale of ["en", "de"])
    i18n.add(
      locale,
      JSON.parse(readFileSync(join(import.meta.dirname, `locales/${locale}.json`), "utf8")) as Catalogue,
    );
  assets.add("inspector.css", join(import.meta.dirname, "inspector.css"));

  hooks.host.request.tap(
    { name: "inspector", stage: FIRST },
    (request) => pages.answer(request) ?? recorder.begin(request),
  );
  tap(
    hooks.host.reply,
    (reply, request) => {
      recorder.finish(request, reply);
      if (reply.status === 403) linkRefusal(request, reply);
    },
    { stage: LAST },
  );
  tap(hooks.kernel.error, (error, request) => recorder.failed(error, request), { stage: FIRST });
  if (hooks.resources) tap(hooks.resources.decided, (decision, { request }) => recorder.decided(decision, request));
  if (hooks.database) tap(hooks.database.handOut, ({ model }) => recorder.handedOut(model.table));
  views.observe?.((rendered) => recorder.rendered(rendered));
  const listen = (line: string) => recorder.logged(line);
  host.logListeners.push(listen);
  onClose(() => void host.logListeners.splice(host.logListeners.indexOf(listen), 1));
  tap(hooks.kernel.ready, () => {
    recorder.secretColumns = secretColumns(services.database, services.resources);
    recorder.watch(services.database?.knex);
  });
  return recorder;
}
