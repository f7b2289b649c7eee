import type { ApplicationContext } from "../app/application_context.ts";
import type { Engine } from "../app/mounted_engine.ts";
import type { BaseController, ControllerClass } from "../controllers/controller.ts";
import { errors } from "../errors.ts";
import { MAX_PUBLIC_AGE } from "../http/public_cache.ts";
import type { Route } from "./route.ts";

/**
 * For how many seconds caches may keep what a route answers guests: the setting of its controller, else of its engine; 0 for not at all.
 * @throws FW_PUBLIC_CACHE where a cache could give one visitor what another one was answered
 */
export function publicMaxAgeOf(
  application: ApplicationContext,
  { verb, constraint }: Route,
  controller: ControllerClass,
  engine: Engine | undefined,
): number {
  const { publicMaxAge = engine?.publicMaxAge ?? 0, authentication } = controller as unknown as typeof BaseController;
  if (publicMaxAge === 0 || verb !== "GET") return 0;
  const mode = authentication?.mode;
  const problem =
    ageProblem(publicMaxAge) ??
    (mode !== undefined && !application.authModes.isByCookies(mode) ? MODE(mode) : undefined) ??
    (application.authModes.hasOthers ? TAP : undefined) ??
    (constraint ? CONSTRAINT : undefined) ??
    (engine && engineProblem(engine));
  if (problem !== undefined) throw errors.FW_PUBLIC_CACHE(controller.name, problem);
  return publicMaxAge;
}

const CONSTRAINT = "its route is drawn within routes.constraints()";
const MODE = (name: string) => `its mode of authentication "${name}" may know people by more than cookies`;
const TAP = "a plugin's tap of the hook authenticate may know people by more than cookies";

const ageProblem = (age: number): string | undefined =>
  Number.isInteger(age) && age > 0 && age <= MAX_PUBLIC_AGE
    ? undefined
    : `the age is no whole number of seconds from 0 to ${MAX_PUBLIC_AGE}`;

function engineProblem(engine: Engine): string | undefined {
  if (engine.isConstrained) return `${engine.name} is mounted behind a constraint`;
  const isByAddress = engine.prefixParameters.length > 0 || engine.tenantOrigin !== undefined;
  if (engine.tenantModel === undefined || isByAddress) return undefined;
  return `the tenant of ${engine.name} is neither in the path nor in the host name`;
}
