import { backgroundPlace, enterInBackground, openInBackground, type ParamObject, type Route } from "framewright/host";
import type { Account } from "framewright/kernel";
import { type BackgroundRuns, enter, type RunContent, type RunRow } from "framewright/plugins/background_runs";
import type { BaseModel } from "framewright/plugins/database";
import { allows, type Registration, type ResourceController } from "framewright/plugins/resources";
import { isDenial, Refusal, type Registrations } from "framewright/plugins/resources/toolkit";
import { errors } from "./errors.ts";
import type { RowAction, RowActor } from "./rows.ts";

/** Where a row acts: as a program that sends JSON to the address of the list, or of the record. */
interface RowPlace {
  readonly route: Route;
  readonly url: string;
  readonly routeParams: Record<string, string>;
}

function placeOf(base: ResourceController, action: RowAction, record: BaseModel | undefined): RowPlace {
  const { registration, resources, request } = base;
  const { registry } = resources;
  const route = registration.once(`import by ${action}`, () => routeOf(registry, registration, action));
  const list = new URL(base.resourceUrlFor(registration.model.class), request.origin).pathname;
  const { import_id: _, ...mount } = request.routeParams;
  if (!record) return { route, url: `${list}.json`, routeParams: mount };
  const id = String(registration.paramOf(record));
  return { route, url: `${list}/${encodeURIComponent(id)}.json`, routeParams: { ...mount, id } };
}

/** The route of a resource that leads to an action of its controller. @throws FW_IMPORT_ROUTE */
function routeOf(registry: Registrations, registration: Registration, action: RowAction): Route {
  const set = registry.application.routeSets.get(registration.owner);
  const route = set?.routes.find((one) => {
    const about = registry.routes.get(one);
    return (
      about?.registration === registration && !about.parent && !about.custom && !about.answer && one.action === action
    );
  });
  if (!route) throw errors.FW_IMPORT_ROUTE(registration.constant, action);
  return route;
}

const sent = (controller: ResourceController, values: ParamObject): void =>
  controller.request.setBody({ [controller.registration.key]: values });

/** Rows act for the person of the request. */
export function requestActor(base: ResourceController): RowActor {
  return {
    base,
    async enter(action, record, values) {
      const { request, currentUser } = base;
      const place = { ...backgroundPlace(request, ""), ...placeOf(base, action, record) };
      const controller = openInBackground(request.application, place) as ResourceController;
      sent(controller, values);
      const reply = await enterInBackground(controller, currentUser as Account).catch((error: unknown) => {
        throw isDenial(error) ? new Refusal("entry") : error;
      });
      if (reply) throw new Refusal("entry");
      return controller;
    },
  };
}

/** Rows act for the person who started a run: the account is read again for each of them. @throws Refusal */
export async function jobActor(runs: BackgroundRuns, run: RunRow, content: RunContent): Promise<RowActor> {
  const base = await enter(runs.parts, run, content);
  await base.authorizeAction("import").catch((error: unknown) => {
    throw isDenial(error) ? new Refusal("policy") : error;
  });
  return {
    base,
    async enter(action, record, values) {
      const { route, url, routeParams } = placeOf(base, action, record);
      const place = { ...content, verb: route.verb, pattern: route.pattern, url, routeParams };
      const controller = await enter(runs.parts, run, place, (opened) => sent(opened, values));
      if (!allows(controller.policyFor(), "import")) throw new Refusal("policy");
      return controller;
    },
  };
}
