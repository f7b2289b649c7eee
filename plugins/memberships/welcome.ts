import { type ControllerClass, csrfInput, type FieldErrors, type Mixin, type Reply } from "framewright/host";
import type { AccountRecord, AuthlibBase } from "framewright/plugins/authlib";
import { type BaseModel, type ModelClass, type Query, ValidationError } from "framewright/plugins/database";
import { acceptInvitation, isValid, tenantKey } from "./invitations/accept.ts";
import { type InvitationRecord, pendingOnly } from "./invitations/invitation.ts";
import { shapeOf } from "./shape.ts";

/** The most invitations that the page lists. */
const MAX_LISTED = 20;

/** Options of `WelcomePages()`. */
export interface WelcomePagesOptions {
  membership: { new (): BaseModel };
  /** The invitations that may wait for the person. */
  invitation?: { new (): BaseModel };
  /** Where the portal is mounted. */
  portal: string;
  /** The text columns that a new tenant is asked for. */
  fields?: readonly string[];
  /** The most tenants that one account may own. */
  maximum?: number;
}
/** What `WelcomePages` adds to a controller. */
export interface WelcomePagesConcern {
  index(): Promise<Reply>;
  /** Creates a tenant, of which the person becomes the owner. */
  create(): Promise<Reply>;
  /** Accepts an invitation to the person's own address, by its id. */
  accept(): Promise<Reply>;
}
type Controller = InstanceType<ControllerClass> & { readonly authlib: AuthlibBase };

/** The page of an account without a tenant: it creates one, or accepts an invitation that waits. Include `Authlib` before it. */
export function WelcomePages(options: WelcomePagesOptions): Mixin<WelcomePagesConcern> {
  const { fields = ["name"], maximum = 20 } = options;
  return (Base) => {
    class WithWelcome extends (Base as unknown as new (...args: ConstructorParameters<ControllerClass>) => Controller) {
      async index(): Promise<Reply> {
        return this.#page({}, {});
      }
      async create(): Promise<Reply> {
        const unverified = await this.authlib.requireVerified();
        if (unverified) return unverified;
        const typed = this.params.nested("tenant");
        const values = Object.fromEntries(fields.map((name) => [name, textOf(typed.get(name))]));
        const blank = Object.entries(values).filter(([name, value]) => value === "" && this.#isRequired(name));
        const errors = Object.fromEntries(blank.map(([name]) => [name, [this.t("memberships.welcome.blank")]]));
        if (blank.length > 0) return this.#page(values, errors, 422);
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
        return this.request.path.replace(/\/accept$/, "");
      }
      get #shape() {
        return shapeOf(this.request.kernel, options.membership);
      }
      #isRequired(name: string): boolean {
        const { target } = this.#shape.entity;
        return target.columns.get(name)?.nullable !== true || target.class.validations[name]?.presence !== undefined;
      }
      #enter(tenantId: number): Reply {
        const location = `${options.portal.replace(/\/$/, "")}/${tenantId}`;
        return this.request.format === "json" ? this.json({ data: { url: location } }) : this.redirectTo(location);
      }
      async #owned(): Promise<number> {
        const { model, user, roles } = this.#shape;
        const query = this.request.kernel.service("database").query(model.class as { new (): BaseModel });
        return query.where({ [user.foreignKey]: this.#account.id, role: roles[0] } as never).resultSize();
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
            const keys = { [entity.foreignKey]: tenant.$id(), [user.foreignKey]: this.#account.id };
            await insert(model.class, { ...keys, role: roles[0] });
            return Number(tenant.$id());
          },
          { until: this.request.deadline, by: "a new tenant" },
        );
      }
      async #page(values: Record<string, unknown>, errors: FieldErrors, status = 200): Promise<Reply> {
        const waiting = await this.#waiting();
        if (this.request.format === "json") return this.json({ data: { invitations: waiting } }, { status });
        const { target } = this.#shape.entity;
        const one = target.constant
          .split("::")
          .at(-1)!
          .replace(/(?<!^)([A-Z])/g, " $1")
          .toLowerCase();
        const asked = fields.map((name) => ({
          name,
          label: name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase()),
          value: values[name] ?? "",
          required: this.#isRequired(name),
          problems: errors[name],
        }));
        const title = this.t("memberships.welcome.title");
        const root = this.#root;
        const csrf = csrfInput(this.request, root);
        const accept_csrf = csrfInput(this.request, `${root}/accept`);
        const locals = { title, waiting, fields: asked, one, problems: errors.base, root, csrf, accept_csrf };
        return this.render("memberships/welcome", { status, layout: "basic", locals });
      }
      /** The valid invitations to the person's verified address. */
      async #waiting(): Promise<{ id: number; tenant: string; role: string }[]> {
        const { invitation } = options;
        const { authlib } = this;
        if (!invitation || !authlib.isVerified) return [];
        const database = this.request.kernel.service("database");
        const model = database.model(invitation as ModelClass);
        const key = tenantKey(model, this.#shape);
        const email = authlib.normalizeLogin(authlib.loginOf(this.#account));
        const query = (database.query(invitation) as Query<InvitationRecord>).where("email", email as never);
        const found = (await pendingOnly(query as never as Waiting, model.table).limit(
          MAX_LISTED,
        )) as InvitationRecord[];
        const listed: { id: number; tenant: string; role: string }[] = [];
        for (const one of found) {
          const tenantId = Number((one as unknown as Record<string, unknown>)[key]);
          if (!(await isValid(this.request, one, this.#shape, tenantId))) continue;
          const tenants = database.query(this.#shape.entity.target.class as { new (): BaseModel });
          const tenant = (await tenants.findById(tenantId)) as unknown as BaseModel;
          listed.push({ id: one.$id() as number, tenant: tenant.toLabel(), role: one.role });
        }
        return listed;
      }
    }
    return WithWelcome as never;
  };
}
interface Waiting {
  where: Function;
  whereNull: Function;
  limit(count: number): Promise<unknown>;
}
const textOf = (value: unknown): string => (typeof value === "string" ? value.trim().slice(0, 255) : "");
