import { forbidden, type Reply } from "framewright/host";
import { keysOf, readScopes, writeScopes } from "framewright/plugins/api_keys";
import { type BaseModel, isDuplicate } from "framewright/plugins/database";
import { fail, type InteractionAttributes, type Outcome, succeed } from "framewright/plugins/resources";
import { errors } from "../errors.ts";
import { MemberInteraction, roleLabel } from "../interactions/member.ts";
import { isAtLeast, roleOf } from "../shape.ts";
import { type ApiClientRecord, issueApiKey, rolesOf } from "./api_client.ts";

/** What interactions on API clients share: managers do them. */
abstract class ApiClientInteraction extends MemberInteraction<ApiClientRecord> {
  #issued: { client: ApiClientRecord; key: string } | undefined;

  /** The membership as stored now is still a manager's. @throws HttpError 403 */
  async requireManager(): Promise<void> {
    const actor = await this.lockActor();
    const { roles, managers } = this.shape;
    if (!isAtLeast(roles, roleOf(actor), managers)) throw forbidden();
  }
  /** The client as stored now, locked. @throws HttpError 403 */
  async lockClient(): Promise<ApiClientRecord> {
    await this.requireManager();
    const model = this.record.constructor as { new (): ApiClientRecord };
    const found = await this.query(model)
      .findById(this.record.$id() as number)
      .forUpdate();
    if (!found) throw forbidden();
    return found as ApiClientRecord;
  }
  /** Shows the key on the page that answers, once it is committed. */
  reveal(client: ApiClientRecord, key: string): Outcome {
    this.#issued = { client, key };
    return succeed(client);
  }
  override async afterCommit(): Promise<void> {
    if (this.#issued) this.keyPage(this.#issued.client, this.#issued.key);
  }
  /** The page with the key. 201, since Turbo shows no answer 200 to a form. */
  keyPage(client: ApiClientRecord, key: string): Reply {
    const { controller } = this;
    if (controller.request.format === "json")
      return controller.json({ data: { ok: true, id: client.$id(), key } }, { status: 201 });
    const title = this.text("api.key_title", { name: client.name });
    const { listUrl } = controller as { listUrl?: string };
    const breadcrumbs = [{ label: title }];
    return controller.render("memberships/api_key", {
      status: 201,
      locals: { title, key, list: listUrl, breadcrumbs },
    });
  }
}

const DAY_MS = 86_400_000;

/** Which optional columns of its table the form of a new client has inputs for. */
export interface ApiClientInputsOptions {
  /** The column `scopes`: what the key may do, as in "desks:read desks:write". */
  scopes?: boolean;
  /** The column `expires_at`. */
  expiry?: boolean;
}

/**
 * The inputs of a new client: its name and its role, the least privileged by default, and what else its table has:
 * `apiClientInputs(ApiClient, { scopes: true, expiry: true })`.
 */
export function apiClientInputs(
  Client: { new (): BaseModel },
  { scopes = false, expiry = false }: ApiClientInputsOptions = {},
): InteractionAttributes {
  const roles = rolesOf(Client);
  return {
    name: { as: "string", required: true, length: { maximum: 255 } },
    role: {
      as: "select",
      required: true,
      choices: roles.map((value) => ({ value, label: roleLabel(value) })),
      default: roles.at(-1),
    },
    ...(scopes ? { scopes: { as: "text", hint: ({ t }) => t("memberships.api.scopes_hint") } } : {}),
    ...(expiry ? { expires_on: { as: "date" } } : {}),
  };
}

/** Creates a client of the tenant and shows its key. */
export class CreateApiClient extends ApiClientInteraction {
  static override confirms = true;
  /** The class of the clients. */
  static client: { new (): BaseModel } | undefined = undefined;
  async execute(): Promise<Outcome> {
    await this.requireManager();
    const { client, name } = this.constructor as typeof CreateApiClient;
    if (!client) throw errors.FW_MEMBERSHIP_CLASS("the class of API clients that is its static client", name);
    const { scopes, expires_on, ...values } = this.values as Record<string, unknown>;
    const limits = this.#limits(scopes, expires_on);
    if ("problems" in limits) return fail(limits.problems);
    const { key, columns } = issueApiKey();
    try {
      const created = await this.query(client).insert({ ...values, ...limits.columns, ...columns } as never);
      return this.reveal(created as unknown as ApiClientRecord, key);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return fail({ name: [this.text("api.name_taken")] });
    }
  }
  /** The columns of scopes and expiry, as far as the form has inputs for them; or the errors by field. */
  #limits(
    scopes: unknown,
    expiresOn: unknown,
  ): { columns: Record<string, unknown> } | { problems: Record<string, string[]> } {
    const problems: Record<string, string[]> = {};
    const columns: Record<string, unknown> = {};
    const wanted = readScopes(scopes);
    if (wanted.length > 0) {
      const keys = keysOf(this.controller.request, "an API client gets scopes");
      const wrong = wanted.map((one) => keys.problemOf(one)).filter((one) => one !== undefined);
      if (wrong.length > 0) problems.scopes = wrong;
      columns.scopes = writeScopes(wanted);
    }
    if (expiresOn !== undefined && expiresOn !== null && expiresOn !== "") {
      const end = new Date(new Date(expiresOn as string).getTime() + DAY_MS); // the day is the last one
      if (!(end.getTime() > Date.now())) problems.expires_on = [this.text("api.expires_past")];
      columns.expires_at = end;
    }
    return Object.keys(problems).length > 0 ? { problems } : { columns };
  }
}

/** Gives a client a new key and shows it; the earlier one is void at once. */
export class RotateApiKey extends ApiClientInteraction {
  static override confirms = true;
  async execute(): Promise<Outcome> {
    const client = await this.lockClient();
    const { key, columns } = issueApiKey();
    await client.$query(this.transaction).patch(columns as never);
    return this.reveal(client, key);
  }
}

/** Closes the API to a client. */
export class DisableApiClient extends ApiClientInteraction {
  async execute(): Promise<Outcome> {
    const client = await this.lockClient();
    await client.$query(this.transaction).patch({ disabled_at: new Date() } as never);
    return succeed(client).withMessage(this.text("api.disabled", { name: client.name }));
  }
}

/** Opens the API to a disabled client again, with the key that it has. */
export class EnableApiClient extends ApiClientInteraction {
  async execute(): Promise<Outcome> {
    const client = await this.lockClient();
    await client.$query(this.transaction).patch({ disabled_at: null } as never);
    return succeed(client).withMessage(this.text("api.enabled", { name: client.name }));
  }
}
