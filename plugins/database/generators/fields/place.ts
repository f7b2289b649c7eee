import { type ApplicationFiles, usage } from "framewright/generators";
import { camelize, pathOf, singularize } from "framewright/host/inflection";
import { checkReserved } from "../../../../generators/toolkit/index.ts";

/** The constant and the package of a resource: Post in blogging is Blogging::Post. @throws FW_NAME_INVALID, FW_PACKAGE_UNKNOWN */
export function place(given: string, dest: string | undefined, app: ApplicationFiles, note: (line: string) => void) {
  const path = pathOf(given);
  if (!/^[a-z][a-z0-9_]*(\/[a-z][a-z0-9_]*)*$/.test(path))
    throw usage.FW_NAME_INVALID("a resource", given, "as in Post, Blogging::Post or blogging/post");
  const singular = singularize(path);
  checkReserved("a resource", singular, { isClass: true });
  if (singular !== path) note(`${given} is a plural: the resource is named ${camelize(singular)}.`);
  const module = singular.split("/")[0]!;
  const hasOwnPackage = singular.includes("/") && app.has(`packages/${module}`) && !module.endsWith("_portal");
  const owner = dest === undefined ? (hasOwnPackage ? module : undefined) : app.destination(dest);
  const isInside = owner === undefined || singular.startsWith(`${owner}/`);
  return { constant: camelize(isInside ? singular : `${owner}/${singular}`), owner };
}
