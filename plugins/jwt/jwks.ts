import { AuthenticatedBy, BaseController, concern, type Reply, type RouteSet } from "framewright/host";
import type { Keys } from "./keys.ts";

/** Publishes the public key at `/.well-known/jwks.json`; without a key pair there is no such route. */
export function drawKeys(routes: RouteSet, published: Keys["published"]): void {
  if (!published) return;
  class KeysController extends concern(BaseController, AuthenticatedBy("public")) {
    show(): Reply {
      const reply = this.json(published);
      reply.headers["cache-control"] = "public, max-age=300";
      return reply;
    }
  }
  routes.get("/.well-known/jwks", { controller: KeysController, action: "show", as: "jwks" });
}
