import { type BaseController, csrfInput, forbidden, type Reply } from "framewright/host";
import type { Connection, ConnectionValues } from "../contract.ts";
import { providerOfTenant } from "../features/tenant_sso/provider_of_tenant.ts";
import { optionsOf } from "../service.ts";
import { addressesOf } from "./overview.ts";
import { back, countCheck, type PageParts, type Place, requirePlace } from "./place.ts";
import { type Problems, rolesText, type Sent, sentProvider } from "./sent_provider.ts";

/** `GET /_sso/provider`: the form. The secret is never in it. */
export async function providerForm(parts: PageParts, controller: BaseController): Promise<Reply> {
  const place = requirePlace(parts, controller);
  const connection = await changeable(place);
  const confirmation = await place.authlib.confirmed({ within: 60 });
  if (confirmation) return confirmation;
  const { shape } = place;
  const { defaultRole = shape.roles.at(-1)! } = optionsOf(place.type);
  const fresh: ConnectionValues = {
    ...{ issuer: "", client_id: "", roles_claim: null, roles: [], default_role: defaultRole },
    ...{ provisions: true, refreshes_roles: false },
  };
  const values = connection ?? fresh;
  return render(controller, place, { ...values, roles_text: rolesText(values.roles) }, {}, connection);
}

/** `POST /_sso/provider` stores it, once its configuration could be read. */
export async function saveProvider(parts: PageParts, controller: BaseController): Promise<Reply> {
  const place = requirePlace(parts, controller);
  const connection = await changeable(place);
  const sent = sentProvider(controller, place, parts.service.rules, connection);
  const { values, secret } = sent;
  const problems: Problems = { ...sent.problems };
  if (Object.keys(problems).length === 0) {
    await countCheck(parts, place);
    const known = secret ?? (connection && (await place.connections.secretOf(connection))) ?? "";
    const problem = await discoveryProblem(parts, controller, place, values, known);
    if (problem) problems.issuer = controller.t(`sso.problems.${problem}`);
  }
  const refuse = () => render(controller, place, sent.typed, problems, connection);
  if (Object.keys(problems).length > 0) return refuse();
  if (!(await place.connections.save(place.tenantId, values, secret, connection))) {
    problems.issuer = controller.t("sso.problems.changed_meanwhile");
    return refuse();
  }
  await place.authlib.emitEvent("company_sign_in_changed", {
    ...{ what: "provider_saved", issuer: values.issuer, tenant: place.tenantId },
  });
  return back(controller, place, "success", "done.provider_saved");
}

/** `DELETE /_sso/provider`: its people sign in otherwise from now on. */
export async function removeProvider(parts: PageParts, controller: BaseController): Promise<Reply> {
  const place = requirePlace(parts, controller);
  const connection = await changeable(place);
  if (connection) {
    await place.connections.remove(connection);
    await place.authlib.emitEvent("company_sign_in_changed", {
      ...{ what: "provider_removed", issuer: connection.issuer, tenant: place.tenantId },
    });
  }
  return back(controller, place, "success", "done.provider_removed");
}

/** The tenant's provider. @throws HttpError 403 while it is required, for people who may not require it */
async function changeable(place: Place): Promise<Connection | undefined> {
  const connection = await place.connections.find(place.tenantId);
  if (connection?.enforced && !place.mayEnforce) throw forbidden();
  return connection;
}

type DiscoveryProblem = "issuer_differs" | "issuer_private" | "issuer_unreachable" | "issuer_insecure";

/** Reads the provider's configuration, as at a sign-in: what is wrong, as a key below `sso.problems`. */
async function discoveryProblem(
  { service, oidc }: PageParts,
  controller: BaseController,
  place: Place,
  values: ConnectionValues,
  secret: string,
): Promise<DiscoveryProblem | undefined> {
  const connection = { ...values, id: 0, tenant_id: place.tenantId, revision: "", enforced: false, used_at: null };
  const parts = { connection, secret, label: "", fetch: service.fetch, options: optionsOf(place.type) };
  const { provider, credentials } = providerOfTenant(parts);
  try {
    const { url, issuer = values.issuer } = await oidc.begin(
      provider,
      credentials,
      addressesOf(controller, place).callback,
    );
    if (issuer !== values.issuer) return "issuer_differs"; // but for a slash at its end
    const isSecure = url.protocol === "https:" || (url.protocol === "http:" && service.rules.allowHttp);
    return isSecure ? undefined : "issuer_insecure";
  } catch (error) {
    const codes = codesOf(error);
    if (codes.includes("FW_OUTBOUND")) return "issuer_private";
    return codes.includes("OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED") ? "issuer_differs" : "issuer_unreachable";
  }
}
/** The codes of an error and of what caused it. */
function codesOf(error: unknown): string[] {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return [String(code), ...(cause instanceof Error ? codesOf(cause) : [])];
}

function render(
  controller: BaseController,
  place: Place,
  values: Sent["typed"],
  problems: Problems,
  connection: Connection | undefined,
): Reply {
  const url = `${place.url}/provider`;
  const title = controller.t("sso.provider.title");
  const { roles } = place.shape;
  return controller.render("sso/provider", {
    status: Object.keys(problems).length > 0 ? 422 : 200,
    locals: {
      ...{ title, breadcrumbs: [{ label: controller.t("sso.title"), url: place.url }, { label: title }] },
      form: { url, csrf: csrfInput(controller.request, url, "post") },
      ...{ values, problems, cancel: place.url, has_secret: connection !== undefined },
      addresses: addressesOf(controller, place),
      roles: roles.slice(1).map((name) => ({ name, is_chosen: name === values.default_role })),
      role_names: roles.join(", "),
    },
  });
}
