import { moved, movedPath, notFound } from "framewright/host";
import { findFormer, type Named } from "framewright/plugins/database";
import type { Registration } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";

/** A parameter of a path, and what it may name. */
interface Former<T> extends Named<T> {
  registration: Registration;
  parameter: string;
  /** Whether the person may see the record's page. */
  mayShow(found: T): boolean;
}

/**
 * What a former slug leads to. A page redirects to the present address; what is written to the old one, as by a form
 * that was opened before, is written to the record. @throws HttpError 301, or 404 as for a slug that nobody ever had
 */
export async function findByFormerSlug<T>(controller: ResourceRequest, former: Former<T>): Promise<T> {
  const { registration, parameter, model, paramKey } = former;
  const { request, resources } = controller;
  if (!model.class.slug?.history || registration.paramKey !== model.paramKey) throw notFound();
  const tenant = controller.currentScopedEntity as { $id?(): unknown } | undefined;
  const scope = model.slugScope.map(() => tenant?.$id?.());
  const idOf = (slug: string) => resources.database.recordOfSlug(model, slug, scope);
  const found = await findFormer(former, idOf, request.routeParams[parameter]);
  if (found === undefined || !former.mayShow(found)) throw notFound();
  if (request.route?.verb !== "GET" || request.isBackground) return found;
  const position =
    request.route.segments.indexOf(`:${parameter}`) + request.mountPath.split("/").filter(Boolean).length;
  throw moved(movedPath(request, position, String(former.valueOf(found, paramKey))));
}
