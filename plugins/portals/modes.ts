import type { RequestContext } from "framewright";
import { definePlugin, type Plugin } from "framewright/kernel";
import type { FindUser } from "./mixins.ts";

/** The mode `public`: everybody is nobody, whatever they bring. */
export function publicMode(): Plugin {
  return definePlugin({
    name: "public",
    requires: ["host"],
    apply({ services, hooks }) {
      services.host.authModes.add("public");
      hooks.kernel.authenticate.tap("public", (request) =>
        (request as RequestContext).authentication?.mode === "public" ? null : undefined,
      );
    },
  });
}

/** The mode `byo`: the controller's own function says who asks (`CurrentUser`, S5.3). */
export function byoMode(): Plugin {
  return definePlugin({
    name: "byo",
    requires: ["host"],
    apply({ services, hooks }) {
      services.host.authModes.add("byo");
      hooks.kernel.authenticate.tapPromise("byo", async (given) => {
        const request = given as RequestContext;
        const { authentication, controller } = request;
        if (authentication?.mode !== "byo") return undefined;
        return (await (authentication.find as FindUser<object>)(request, controller!)) ?? null;
      });
    },
  });
}
