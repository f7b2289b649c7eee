import {
  type ControllerClass,
  csrfInput,
  type FieldErrors,
  forbidden,
  HttpError,
  localeOf,
  type Mixin,
  paramKey,
  type Reply,
} from "framewright/host";
import type { AccountRecord, AuthlibBase } from "framewright/plugins/authlib";
import { type BaseModel, ModelInfo, ValidationError } from "framewright/plugins/database";
import { isAllowed } from "framewright/plugins/resources";
import { errors } from "./errors.ts";
import { acceptInvitation } from "./invitations/accept.ts";
import { type WaitingInvitation, waitingFor } from "./invitations/waiting.ts";
import { roleName } from "./role_name.ts";
import { columnOf, locationHere, shapeOf, tenantUrl } from "./shape.ts";
import { isIncomplete, profileOf, type Typed, welcomeFields } from "./welcome_profile.ts";

/** Options of `WelcomePages()`. */
export interface WelcomePagesOptions {
  membership: { new (): BaseModel };
  /** The invitations that may wait for the person. */
  invitation?: { new (): BaseModel };
  /** Where the portal is mounted. */
  portal: string;
  /** The text columns that a new tenant is asked for. */
  fields?: readonly string[];
  /** The text columns of the person's profile that are asked for first, where they are empty. Each is required. */
  profile?: readonly string[];
  /** The most tenants that one account may own. */
  maximum?: number;
}
/** What `WelcomePages` adds to a controller. */
export interface WelcomePagesConcern {
  index(): Promise<Reply>;
  /** Stores the columns of the profile that are asked for first. */
  updateProfile(): Promise<Reply>;
  /** Creates a tenant, of which the person becomes the owner. */
  create(): Promise<Reply>;
  /** Accepts an invitation to the person's own address, by its id. */
  accept(): Promise<Reply>;
}
type Controller = InstanceType<ControllerClass> & { readonly authlib: AuthlibBase };

/**
 * The page of an account without a tenant: it fills in what its profile lacks, and creates a tenant or accepts an
 * invitation that waits. Include `Authlib` before it.
 */
export function WelcomePages(options: WelcomePagesOptions): Mixin<WelcomePagesConcern> {
  const { fields = ["name"], profile: asked = [], maximum = 20 } = options;
  return (Base) => {
    class WithWelcome extends (Base as unknown as new (...args: ConstructorParameters<ControllerClass>) => Controller) {
      async index(): Promise<Reply> {
        if (!(await this.#isIncomplete())) return this.#page({}, {});
        return this.#profilePage({ values: await profileOf(this.#account), errors: {} });
      }
      async updateProfile(): Promise<Reply> {
        const profile = await profileOf(this.#account);
        const typed = this.params.nested("profile");
        const values = Object.fromEntries(asked.map((name) => [name, textOf(typed.get(name))]));
        const errors = this.#blanks(asked.filter((name) => values[name] === ""));
        if (errors) return this.#profilePage({ values, errors }, 422);
        try {
          await profile.$query().patch(values as never);
        } catch (error) {
          if (error instanceof ValidationError) return this.#profilePage({ values, errors: error.fields }, 422);
          throw error;
        }
        return this.request.format === "json" ? this.json({ data: { url: this.#root } }) : this.redirectTo(this.#root);
      }
      async create(): Promise<Reply> {
        const unverified = await this.authlib.requireVerified();
        if (unverified) return unverified;
        if (await this.#isIncomplete()) return this.#requireProfile();
        if (!this.#mayCreate) throw forbidden(this.t("memberships.welcome.closed", { one: this.#one }));
        const typed = this.params.nested("tenant");
        const values = Object.fromEntries(fields.map((name) => [name, textOf(typed.get(name))]));
        const errors = this.#blanks(fields.filter((name) => values[name] === "" && this.#isRequired(name)));
        if (errors) return this.#page(values, errors, 422);
        if ((await this.#owned()) >= maximum)
          return this.#page(values, { base: [this.t("memberships.welcome.too_many", { count: maximum })] }, 422);
        try {
          return this.#enter(await this.#createTenant(values));
        } catch (error) {
          if (error instanceof ValidationError) return this.#page(values, error.fields, 422);
          throw error;
        }
      }
      async accept(): Promise<Reply> {
        const unverified = await this.authlib.requireVerified();
        if (unverified) return unverified;
        if (await this.#isIncomplete()) return this.#requireProfile();
        const id = Number(this.params.get("id"));
        const { invitation, membership } = options;
        const accepted =
          invitation && Number.isSafeInteger(id)
            ? await acceptInvitation(this.request, { invitation, membership }, id, this.#account)
            : undefined;
        if (accepted?.outcome === "joined") return this.#enter(accepted.tenantId);
        this.flash.add("error", this.t("memberships.invitation.dead_text"));
        return this.redirectTo(this.#root);
      }

      get #account(): AccountRecord {
        return this.authlib.account!;
      }
      /** The page's own path. */
      get #root(): string {
        return this.request.path.replace(/\/(accept|profile)$/, "");
      }
      async #isIncomplete(): Promise<boolean> {
        return asked.length > 0 && isIncomplete(await profileOf(this.#account), asked);
      }
      /** The first step comes first. @throws HttpError 422 for programs */
      #requireProfile(): Reply {
        const { message } = errors.FW_WELCOME_INCOMPLETE(asked);
        if (this.request.format === "json") throw new HttpError(422, "FW_WELCOME_INCOMPLETE", message);
        return this.redirectTo(this.#root);
      }
      #blanks(names: readonly string[]): FieldErrors | undefined {
        if (names.length === 0) return undefined;
        return Object.fromEntries(names.map((name) => [name, [this.t("memberships.welcome.blank")]]));
      }
      async #profilePage(typed: Typed, status = 200): Promise<Reply> {
        if (this.request.format === "json")
          return this.json({ data: { profile: asked }, errors: typed.errors }, { status });
        const action = `${this.#root}/profile`;
        const title = this.t("memberships.welcome.title");
        const locals = {
          title,
          fields: this.#named(welcomeFields(asked, typed)),
          action,
          csrf: csrfInput(this.request, action),
          one: this.#one,
        };
        return this.render("memberships/welcome_profile", { status, layout: "basic", locals });
      }
      /** Fields as the application's catalogue calls them, where it does. */
      #named(fields: ReturnType<typeof welcomeFields>) {
        return fields.map((field) => ({ ...field, label: this.request.tOr(`fields.${field.name}`, field.label) }));
      }
      /** Invitations, with their roles as the application's catalogue calls them. */
      #listed(waiting: readonly WaitingInvitation[]): WaitingInvitation[] {
        const { request } = this;
        const models = [...(options.invitation ? [ModelInfo.of(options.invitation)] : []), this.#shape.model];
        return waiting.map((one) => ({ ...one, role: roleName(request, request.locale, one.role, models) }));
      }
      /** "organization": a tenant, in a sentence. */
      get #one(): string {
        const { constant } = this.#shape.entity.target;
        const own = this.request.tOr(`models.${paramKey(constant)}.one`, "");
        if (own !== "") return localeOf(this.request.locale).inSentence(own);
        const name = constant.split("::").at(-1)!;
        return name.replace(/(?<!^)([A-Z])/g, " $1").toLowerCase();
      }
      get #shape() {
        return shapeOf(this.request.kernel, options.membership);
      }
      #isRequired(name: string): boolean {
        const { target } = this.#shape.entity;
        return target.columns.get(name)?.nullable !== true || target.class.validations[name]?.presence !== undefined;
      }
      /** Whether the person may create a tenant, by `canCreate()` of the tenant model's policy in the application itself. */
      get #mayCreate(): boolean {
        const { registry } = this.request.kernel.service("resources");
        const policyClass = registry.policyClass(undefined, this.#shape.entity.target);
        const nothing = { record: undefined, entityScope: undefined, parent: undefined, parentAssociation: undefined };
        return isAllowed(new policyClass({ user: this.currentUser, ...nothing }), "canCreate");
      }
      async #enter(tenantId: number): Promise<Reply> {
        const location = await tenantUrl(this.request, this.#shape, options.portal, tenantId);
        return this.request.format === "json"
          ? this.json({ data: { url: location } })
          : this.redirectTo(locationHere(location, options.portal));
      }
      async #owned(): Promise<number> {
        const { model, user, roles } = this.#shape;
        const query = this.request.kernel.service("database").query(model.class as { new (): BaseModel });
        return query.where({ [columnOf(user)]: this.#account.id, role: roles[0] } as never).resultSize();
      }
      async #createTenant(values: Record<string, string>): Promise<number> {
        const { model, user, entity, roles } = this.#shape;
        const database = this.request.kernel.service("database");
        return database.transaction(
          async (transaction) => {
            const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
            const insert = (cls: Function, row: object) =>
              database.query(cls as { new (): BaseModel }, transaction).insert(row as never);
            const tenant = (await insert(entity.target.class, filled)) as unknown as BaseModel;
            const keys = { [columnOf(entity)]: tenant.$id(), [columnOf(user)]: this.#account.id };
            await insert(model.class, { ...keys, role: roles[0] });
            return Number(tenant.$id());
          },
          { until: this.request.deadline, by: "a new tenant" },
        );
      }
      async #page(values: Record<string, unknown>, errors: FieldErrors, status = 200): Promise<Reply> {
        const waiting = await waitingFor(this.request, this.authlib, options);
        if (this.request.format === "json") return this.json({ data: { invitations: waiting } }, { status });
        const listed = this.#named(welcomeFields(fields, { values, errors }, (name) => this.#isRequired(name)));
        const title = this.t("memberships.welcome.title");
        const root = this.#root;
        const csrf = csrfInput(this.request, root);
        const accept_csrf = csrfInput(this.request, `${root}/accept`);
        const one = this.#one;
        const locals = {
          title,
          waiting: this.#listed(waiting),
          fields: listed,
          one,
          problems: errors.base,
          may_create: this.#mayCreate,
          root,
          csrf,
          accept_csrf,
        };
        return this.render("memberships/welcome", { status, layout: "basic", locals });
      }
    }
    return WithWelcome as never;
  };
}
const textOf = (value: unknown): string => (typeof value === "string" ? value.trim().slice(0, 255) : "");
