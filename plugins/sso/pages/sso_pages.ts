import { type Application, type BaseController, type Reply, unauthorized, type Verb } from "framewright/host";
import { portalController } from "framewright/plugins/portals";
import { addDomain, removeDomain, verifyDomain } from "./domain_actions.ts";
import { enforce, release } from "./enforce_actions.ts";
import { ssoTypeOf } from "./guard.ts";
import { overview } from "./overview.ts";
import { PATH, type PageParts, placeOf } from "./place.ts";
import { providerForm, removeProvider, saveProvider } from "./provider_actions.ts";

type Answer = (parts: PageParts, controller: BaseController) => Promise<Reply>;

/** The pages by which a tenant sets its sign-in up, in the portals that its members enter. */
export class SsoPages {
  readonly #parts: PageParts;
  readonly #portals = new Set<string>();

  constructor(parts: PageParts) {
    this.#parts = parts;
  }

  /** Draws them in a portal, where its people have such a sign-in. */
  draw(host: Application, portal: string): void {
    const controller = portalController(host, portal, "sso");
    const isOffered = controller && "membership" in controller && ssoTypeOf(this.#parts.types, controller.prototype);
    if (!controller || !isOffered) return;
    const set = host.routeSetOf(portal);
    const draw = (verb: Verb, path: string, answer: Answer) => {
      const action = (one: BaseController) => this.#answer(answer, one);
      set.draw(verb, PATH + path, { controller, action, policy: "(managers of the tenant)" });
    };
    draw("GET", "", overview);
    draw("POST", "/domains", addDomain);
    draw("POST", "/domains/:domain_id/verify", verifyDomain);
    draw("DELETE", "/domains/:domain_id", removeDomain);
    draw("GET", "/provider", providerForm);
    draw("POST", "/provider", saveProvider);
    draw("DELETE", "/provider", removeProvider);
    draw("POST", "/enforcement", enforce);
    draw("DELETE", "/enforcement", release);
    this.#portals.add(portal);
  }
  /** The address of the page, for those who may open it. */
  urlFor(controller: BaseController): string | undefined {
    const { engine } = controller.request;
    return engine && this.#portals.has(engine.name) ? placeOf(this.#parts, controller)?.url : undefined;
  }

  /** What decides how a whole company signs in is confirmed by the person who changes it. */
  async #answer(answer: Answer, controller: BaseController): Promise<Reply> {
    if (!controller.currentUser) throw unauthorized();
    const place = placeOf(this.#parts, controller);
    const confirms = place && controller.request.method !== "GET";
    const confirmation = confirms ? await place.authlib.confirmed({ within: 60 }) : undefined;
    return confirmation ?? answer(this.#parts, controller);
  }
}
