import { type Application, type BaseController, notFound, publicOrigin, Reply, type RouteSet } from "framewright/host";
import { portalController } from "framewright/plugins/portals";
import { allows, type Registration, type ResourceController } from "framewright/plugins/resources";
import { articleOf } from "./article_options.ts";
import { element, escapeXml, XML } from "./xml.ts";

const PATH = "/sitemap.xml";
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";
const PAGE = 1000;

/** Draws the sitemap of a portal that has articles: an index, and a page of it for each thousand of them. */
export function drawSitemap(host: Application, set: RouteSet): void {
  const portal = set.owner;
  if (portal === undefined) return;
  const all = [...host.kernel.service("resources").registry.of(portal).values()];
  const controller = all.some(isListed) ? portalController(host, portal, "sitemap") : undefined;
  if (controller) set.draw("GET", PATH, { controller, action: answerSitemap, policy: "(by resource)" });
}

const isListed = ({ definition, singular, model }: Registration): boolean =>
  !singular && !model.key.isMissing && articleOf(definition) !== undefined;

async function answerSitemap(controller: BaseController): Promise<Reply> {
  const { request } = controller;
  const { registry } = request.kernel.service("resources");
  const readable = [...registry.of(request.engine?.name).values()].filter(
    (one) => isListed(one) && mayList(controller, one),
  );
  const path = request.query.get("list");
  const body =
    path === null || path === undefined ? await index(controller, readable) : await page(controller, readable, path);
  return controller.answer(new Reply(200, XML + body, { "content-type": "application/xml; charset=utf-8" }));
}

function mayList(controller: BaseController, { policyClass }: Registration): boolean {
  const policy = controller.request.kernel.service("resources").policy(controller, policyClass, undefined);
  return allows(policy, "index");
}

const visible = (controller: BaseController, { model }: Registration) => {
  const resources = controller.request.kernel.service("resources");
  return resources.visible(controller as ResourceController, model, resources.database.replicaFor(controller.request));
};

async function index(controller: BaseController, readable: readonly Registration[]): Promise<string> {
  const { request } = controller;
  const address = `${publicOrigin(request)}${request.mountPath}${PATH}`;
  const lines: string[] = [];
  for (const one of readable) {
    const count = await visible(controller, one).resultSize();
    for (let at = 1; at <= Math.max(1, Math.ceil(count / PAGE)); at++)
      lines.push(element("loc", `${address}?${new URLSearchParams({ list: one.path, page: String(at) })}`));
  }
  return `<sitemapindex xmlns="${NAMESPACE}">${lines.map((line) => `<sitemap>${line}</sitemap>`).join("")}</sitemapindex>\n`;
}

/** @throws HttpError 404 for a list without articles, or that the person may not see, and a page that is no number */
async function page(controller: BaseController, readable: readonly Registration[], path: unknown): Promise<string> {
  const { request } = controller;
  const registration = readable.find((one) => one.path === path);
  const number = Number(request.query.get("page") ?? 1);
  if (!registration || !Number.isInteger(number) || number < 1 || number > 50_000) throw notFound();
  const resources = request.kernel.service("resources");
  const query = visible(controller, registration);
  registration.model.key
    .order(query, "asc")
    .limit(PAGE)
    .offset((number - 1) * PAGE);
  const records = await resources.database.read(query, []);
  const shown = records.filter((record) =>
    allows(resources.policy(controller, registration.policyClass, record), "show"),
  );
  const origin = publicOrigin(request);
  const urls = shown.map(
    (record) => `<url><loc>${escapeXml(new URL(controller.resourceUrlFor(record), origin).href)}</loc></url>`,
  );
  return `<urlset xmlns="${NAMESPACE}">${urls.join("")}</urlset>\n`;
}
