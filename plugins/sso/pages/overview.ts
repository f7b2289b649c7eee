import { type BaseController, csrfInput, type Reply } from "framewright/host";
import type { Connection, Domain } from "../contract.ts";
import { shownDomain } from "../domains/domain_name.ts";
import { recordOf } from "../domains/txt_record.ts";
import { providerName } from "../store/connections.ts";
import { type PageParts, type Place, requirePlace } from "./place.ts";

/** `GET /_sso`: the domains of the tenant, its provider, and whether it is required. */
export async function overview(parts: PageParts, controller: BaseController): Promise<Reply> {
  return renderOverview(controller, requirePlace(parts, controller));
}

/** The page, also with what is wrong with a domain that was typed. */
export async function renderOverview(
  controller: BaseController,
  place: Place,
  { typed = "", problem }: { typed?: string; problem?: string } = {},
): Promise<Reply> {
  const { tenantId, url } = place;
  const [domains, connection] = [await place.domains.list(tenantId), await place.connections.find(tenantId)];
  const form = (path: string, method = "post") => ({
    url: url + path,
    csrf: csrfInput(controller.request, url + path, method),
  });
  const isLocked = connection?.enforced === true && !place.mayEnforce;
  const title = controller.t("sso.title");
  return controller.render("sso/overview", {
    status: problem === undefined ? 200 : 422,
    locals: {
      ...{ title, breadcrumbs: [{ label: title }], typed, problem },
      domains: domains.map((one) => ({
        ...viewOf(controller, one),
        verify: form(`/domains/${one.id}/verify`),
        remove: isLocked && one.proven_at ? undefined : form(`/domains/${one.id}`, "delete"),
      })),
      add: form("/domains"),
      addresses: addressesOf(controller, place),
      provider: connection && providerView(connection),
      edit: isLocked ? undefined : `${url}/provider`,
      remove_provider: connection && !isLocked ? form("/provider", "delete") : undefined,
      may_enforce: place.mayEnforce,
      switch: connection && form("/enforcement", connection.enforced ? "delete" : "post"),
    },
  });
}

const tones = { proven: "success", failing: "warning", lapsed: "danger", waiting: "info" } as const;

function viewOf(controller: BaseController, domain: Domain) {
  const { proven_at, failing_since, lapsed_at, checked_at } = domain;
  const state = proven_at ? (failing_since ? "failing" : "proven") : lapsed_at ? "lapsed" : "waiting";
  const { name, text } = recordOf(domain);
  return {
    ...{ name: shownDomain(domain.domain), record: name, value: text, checked_at, tone: tones[state] },
    state: controller.t(`sso.domains.${state}`),
    is_open: state !== "proven",
  };
}

const providerView = ({ issuer, client_id, used_at, enforced, provisions, default_role }: Connection) => ({
  ...{ issuer, client_id, used_at, enforced, provisions, default_role },
});

/** What the provider has to know of this application: where it sends people back, and where it reports that they signed out. */
export function addressesOf({ request }: BaseController, { type, tenantId }: Place) {
  const at = (page: string) =>
    (request.settings.appUrl?.origin ?? request.origin) + type.path(`oidc/${providerName(tenantId)}${page}`);
  return {
    callback: at("/callback"),
    start: at(""),
    backchannel: at("/backchannel-logout"),
    frontchannel: at("/frontchannel-logout"),
  };
}
