import { forbidden, type Reply } from "framewright/host";
import { type BaseModel, isDuplicate } from "framewright/plugins/database";
import { fail, type InteractionAttributes, type Outcome, succeed } from "framewright/plugins/resources";
import { errors } from "../errors.ts";
import { MemberInteraction, roleLabel } from "../interactions/member.ts";
import { isAtLeast, managerRole, roleOf } from "../shape.ts";
import { type ApiClientRecord, issueApiKey, rolesOf } from "./api_client.ts";

/** What interactions on API clients share: managers do them. */
abstract class ApiClientInteraction extends MemberInteraction<ApiClientRecord> {
  #issued: { client: ApiClientRecord; key: string } | undefined;

  /** The membership as stored now is still a manager's. @throws HttpError 403 */
  async requireManager(): Promise<void> {
    const actor = await this.lockActor();
    const { roles } = this.shape;
    if (!isAtLeast(roles, roleOf(actor), managerRole(roles))) throw forbidden();
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

/** The inputs of a new client: its name and its role, the least privileged by default. */
export function apiClientInputs(Client: { new (): BaseModel }): InteractionAttributes {
  const roles = rolesOf(Client);
  return {
    name: { as: "string", required: true, length: { maximum: 255 } },
    role: {
      as: "select",
      required: true,
      choices: roles.map((value) => ({ value, label: roleLabel(value) })),
      default: roles.at(-1),
    },
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
    const { key, columns } = issueApiKey();
    try {
      const created = await this.query(client).insert({ ...this.values, ...columns } as never);
      return this.reveal(created as unknown as ApiClientRecord, key);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return fail({ name: [this.text("api.name_taken")] });
    }
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
