import { type BaseController, forbidden, notFound, type Reply } from "framewright/host";
import type { Domain } from "../contract.ts";
import { domainName, isPublicMail, shownDomain } from "../domains/domain_name.ts";
import { renderOverview } from "./overview.ts";
import { back, countCheck, numberIn, type PageParts, type Place, requirePlace, textIn } from "./place.ts";

/** `POST /_sso/domains` adds a domain, which its record in DNS is to prove. */
export async function addDomain(parts: PageParts, controller: BaseController): Promise<Reply> {
  const place = requirePlace(parts, controller);
  const typed = textIn(controller, "domain").slice(0, 300);
  const domain = domainName(typed);
  const refuse = (key: string) =>
    renderOverview(controller, place, { typed, problem: controller.t(`sso.problems.${key}`) });
  if (domain === undefined) return refuse("domain");
  if (isPublicMail(domain) || parts.service.refusedDomains.has(domain)) return refuse("public_domain");
  if (!(await place.domains.add(place.tenantId, domain))) return refuse("many_domains");
  return back(controller, place, "success", "done.domain_added");
}

/** `POST /_sso/domains/:domain_id/verify` looks the record up now. */
export async function verifyDomain(parts: PageParts, controller: BaseController): Promise<Reply> {
  const { place, domain } = await found(parts, controller);
  await countCheck(parts, place);
  const proof = await place.domains.prove(domain);
  const vars = { domain: shownDomain(domain.domain) };
  if (proof !== "found") return back(controller, place, "error", `proofs.${proof}`, vars);
  await place.authlib.emitEvent("company_sign_in_changed", {
    ...{ what: "domain_proven", domain: domain.domain, tenant: place.tenantId },
  });
  return back(controller, place, "success", "proofs.found", vars);
}

/** `DELETE /_sso/domains/:domain_id`. A proven one of a tenant that requires its provider only by who may require it. */
export async function removeDomain(parts: PageParts, controller: BaseController): Promise<Reply> {
  const { place, domain } = await found(parts, controller);
  const connection = await place.connections.find(place.tenantId);
  if (connection?.enforced && domain.proven_at && !place.mayEnforce) throw forbidden();
  await place.domains.remove(domain);
  await place.authlib.emitEvent("company_sign_in_changed", {
    ...{ what: "domain_removed", domain: domain.domain, tenant: place.tenantId },
  });
  return back(controller, place, "success", "done.domain_removed");
}

/** The domain that the address names. @throws HttpError 404, for another tenant's alike */
async function found(parts: PageParts, controller: BaseController): Promise<{ place: Place; domain: Domain }> {
  const place = requirePlace(parts, controller);
  const domain = await place.domains.find(place.tenantId, numberIn(controller, "domain_id"));
  if (!domain) throw notFound();
  return { place, domain };
}
