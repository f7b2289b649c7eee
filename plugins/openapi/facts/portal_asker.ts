import { type Application, type BaseController, openInBackground, type Route } from "framewright/host";
import type {} from "framewright/plugins/authlib";
import { ModelInfo } from "framewright/plugins/database";
import type {} from "framewright/plugins/memberships";
import { portalBaseController } from "framewright/plugins/portals";
import type { Policy, Registration, ResourceRequest } from "framewright/plugins/resources";
import type { ListReader } from "framewright/plugins/resources/toolkit";
import type { Asker } from "./asker.ts";

/** Somebody who may enter a portal, as far as policies can be checked without a database. */
interface Person {
  readonly user: object | undefined;
  readonly tenant: object;
}
type PersonClass = new () => object;

/** Everybody who may enter a portal: an account of each type with each of its roles, members with each role, and guests. */
export class PortalAsker implements Asker {
  readonly #application: Application;
  readonly #portal: string;
  readonly #route: Route;
  readonly #people: readonly Person[];
  #controller: BaseController | undefined;

  private constructor(application: Application, portal: string, route: Route, people: readonly Person[]) {
    this.#application = application;
    this.#portal = portal;
    this.#route = route;
    this.#people = people;
  }
  /** `route`: one of the portal's, at which plugins are called. */
  static async open(application: Application, portal: string, route: Route): Promise<PortalAsker> {
    return new PortalAsker(application, portal, route, await peopleOf(application, portal));
  }

  get isSignedIn(): boolean {
    return this.#people.some(({ user }) => user !== undefined);
  }
  policies({ policyClass }: Registration): readonly Policy[] {
    const nobody = { record: undefined, parent: undefined, parentAssociation: undefined };
    return this.#people.flatMap(({ user, tenant }) => {
      const given = { ...nobody, user, entityScope: tenant as never, context: policyClass.prepare ? {} : undefined };
      try {
        return new policyClass(given) as Policy;
      } catch {
        return []; // a constructor of the application's own that needs more
      }
    });
  }
  shown(names: readonly string[], registration: Registration): readonly string[] {
    this.#controller ??= this.#openController();
    const resources = this.#application.kernel.service("resources");
    return resources.fields(names, registration, this.#controller as ResourceRequest);
  }
  /** Nothing is hidden from all of them together. */
  reader(registration: Registration): ListReader {
    const reader = {
      ...{ currentUser: {}, currentScopedEntity: {}, parent: undefined, portal: registration.owner },
      ...{ hidden: new Set<string>(), hides: () => false, mayRead: () => true, isScoped: () => false },
      visible: () => undefined,
    };
    return reader as unknown as ListReader;
  }

  get #engine() {
    return this.#application.engines.get(this.#portal)!;
  }
  #openController(): BaseController {
    const mountPath = this.#application.mounts.find(({ engine }) => engine === this.#engine)?.at ?? "";
    const place = { route: this.#route, engine: this.#engine, mountPath, url: `${mountPath}/openapi.json` };
    return openInBackground(this.#application, { ...place, host: undefined, routeParams: {} });
  }
}

async function peopleOf(application: Application, portal: string): Promise<Person[]> {
  const { kernel, engines } = application;
  const types = kernel.has("auth") ? kernel.service("auth").types : undefined;
  const membership = membershipIn(portalBaseController(application, engines.get(portal)!.path));
  const { enterAs, rolesOfMembers } = membership ? await import("framewright/plugins/memberships") : absent;
  const routes = application.routes().filter(({ engine, resource }) => engine === portal && resource);
  const people = [...new Set(routes.map(({ account }) => account))].flatMap((name): Person[] => {
    const model = types?.find(name)?.model.class as PersonClass | undefined;
    if (!model) return name === "public" ? [] : [{ user: {}, tenant: {} }];
    if (!membership) return accountsOf(model).map((user) => ({ user, tenant: {} }));
    return rolesOfMembers(membership).map((role) => {
      const tenant = {};
      enterAs(membership, role, tenant);
      return { user: new model(), tenant };
    });
  });
  const admitsGuests = routes.some(({ guests }) => guests !== "refuse");
  return admitsGuests ? [...people, { user: undefined, tenant: {} }] : people;
}

type Members = typeof import("framewright/plugins/memberships");
const absent: Pick<Members, "enterAs" | "rolesOfMembers"> = { enterAs: () => undefined, rolesOfMembers: () => [] };
/** The class of memberships by which people enter a portal. */
const membershipIn = (base: object | undefined) =>
  (base as { membership?: Parameters<Members["rolesOfMembers"]>[0] } | undefined)?.membership;

/** An account with each value of its enums, and of these one whose booleans are all true: policies check a role, or whether somebody is an administrator. */
function accountsOf(model: PersonClass): object[] {
  const { enums = {} } = model as unknown as { enums?: Readonly<Record<string, readonly string[]>> };
  const choices = Object.entries(enums).flatMap(([name, values]) => values.map((value) => ({ [name]: value })));
  const own = choices.length > 0 ? choices : [{}];
  return own.flatMap((values) => [
    Object.assign(new model(), { id: 1 }, values),
    Object.assign(new model(), { id: 1 }, booleansOf(model), values),
  ]);
}

function booleansOf(model: PersonClass): object {
  const { columns } = ModelInfo.of(model);
  return Object.fromEntries(
    [...columns.values()].flatMap(({ name, type }) => (type === "boolean" ? [[name, true]] : [])),
  );
}
