import { type Authentication, type BaseController, HttpError } from "framewright/host";
import { definePlugin, messageOf, type Plugin } from "framewright/kernel";
import type { FindUser } from "./concerns.ts";
import { errors } from "./errors.ts";

/** The mode `public`: every request is a guest, also one with credentials. */
export function publicMode(): Plugin {
  return definePlugin({
    name: "public",
    requires: ["host"],
    apply({ services }) {
      services.host.authModes.add("public", { guests: "admit", byCookies: true, find: () => null });
    },
  });
}

/** The mode `byo`: the controller's own function finds the user (`CurrentUser`). */
export function byoMode(): Plugin {
  return definePlugin({
    name: "byo",
    requires: ["host"],
    apply({ services }) {
      services.host.authModes.add("byo", {
        find: ({ controller }, authentication) => callFindUser(authentication, controller!),
      });
    },
  });
}

/** Calls the controller's own function. Wraps its errors, except HttpErrors. @throws FW_CURRENT_USER */
async function callFindUser(
  { find: by, failure }: Authentication,
  controller: BaseController,
): Promise<object | undefined> {
  try {
    return await (by as FindUser<object>)(controller.request, controller);
  } catch (cause) {
    if (cause instanceof HttpError) throw cause;
    const { engine } = controller.request;
    const where = engine ? `${controller.constructor.name} of ${engine.name}` : controller.constructor.name;
    const { status = failure } = Object(cause) as { status?: unknown };
    throw Object.assign(errors.FW_CURRENT_USER(where, messageOf(cause)), { cause, status: status ?? 500 });
  }
}
