import { raw, type SafeHtml } from "framewright/host";
import type { CustomOptions } from "../cards/card.ts";
import type { CardRequest } from "../cards/load.ts";

/** The application's template, with the variables of a page and those of the card. */
export function custom(
  { controller, period }: CardRequest,
  { view }: CustomOptions<never>,
  given: Record<string, unknown>,
): SafeHtml {
  const { request } = controller;
  const locals: Record<string, unknown> = {
    request: { path: request.path, id: request.id, time_zone: request.timeZone, locale: request.locale },
    current_user: controller.currentUser,
    current_scoped_entity: controller.currentScopedEntity,
    helpers: controller.helpers,
    ...controller.pageLocals(),
    period: period.key,
    ...given,
  };
  request.application.hooks.page.call(locals, controller);
  const portal = request.engine?.path;
  return raw(request.kernel.service("views").render({ portal, names: [view], locals }));
}
